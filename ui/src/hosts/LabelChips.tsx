import type { Labels } from "../api/model";
import { text } from "../messages";
import styles from "./Chip.module.css";
import { labelText } from "./labels";

interface Props {
  labels: Labels;
  onLabel: (label: string) => void;
}

const SHOWN_MAX = 3;

/** Label buttons that filter the list. Shows only the first few, so that rows stay one line high. */
export function LabelChips({ labels, onLabel }: Props) {
  const all = Object.entries(labels);
  const rest = all.slice(SHOWN_MAX).map(([key, value]) => labelText(key, value));
  return (
    <span className={styles.chips}>
      {all.slice(0, SHOWN_MAX).map(([key, value]) => {
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
      {rest.length > 0 && (
        <span className={styles.rest} title={rest.join(", ")}>
          +{rest.length}
          <span className="sr-only"> {rest.join(", ")}</span>
        </span>
      )}
    </span>
  );
}
