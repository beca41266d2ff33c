import type { Labels } from "../api/types";
import { text } from "../messages";
import styles from "./Chip.module.css";
import { labelText } from "./labels";

interface Props {
  labels: Labels;
  onLabel: (label: string) => void;
}

/** Each label narrows the list to its like. */
export function LabelChips({ labels, onLabel }: Props) {
  return (
    <span className={styles.chips}>
      {Object.entries(labels).map(([key, value]) => {
        const label = labelText(key, value);
        return (
          <button
            key={key}
            type="button"
            className={styles.label}
            title={text.hosts.filterByLabel(label)}
            onClick={() => onLabel(label)}
          >
            {label}
          </button>
        );
      })}
    </span>
  );
}
