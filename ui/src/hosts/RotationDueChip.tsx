import { text } from "../messages";
import styles from "./Chip.module.css";

export function RotationDueChip() {
  return (
    <span className={styles.chip} title={text.hosts.rotationDueNote}>
      {text.hosts.rotationDue}
    </span>
  );
}
