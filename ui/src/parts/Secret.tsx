import { TimedText } from "../time/TimedText";
import { CopyButton } from "./CopyButton";
import styles from "./Secret.module.css";

interface Props {
  label: string;
  value: string;
  note?: string;
}

/** A value to copy; a click selects all of it. */
export function Secret({ label, value, note }: Props) {
  return (
    <div>
      <p className={styles.label}>{label}</p>
      <div className={styles.box}>
        <code className={styles.value}>{value}</code>
        <CopyButton value={value} variant="filled" />
      </div>
      {note && (
        <p className={styles.note}>
          <TimedText>{note}</TimedText>
        </p>
      )}
    </div>
  );
}
