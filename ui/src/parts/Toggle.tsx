import styles from "./Toggle.module.css";
import { Tooltip } from "./Tooltip";

interface Props {
  label: string;
  isOn: boolean;
  refused?: string | undefined;
  onToggle: () => void;
}

/** Switch that acts immediately. */
export function Toggle({ label, isOn, refused, onToggle }: Props) {
  const button = (
    <button
      type="button"
      role="switch"
      className={styles.toggle}
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={refused ? true : undefined}
      aria-description={refused}
      onClick={() => !refused && onToggle()}
    >
      <span />
    </button>
  );
  return refused ? <Tooltip label={refused}>{button}</Tooltip> : button;
}
