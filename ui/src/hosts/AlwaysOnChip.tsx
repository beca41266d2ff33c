import { text } from "../messages";
import styles from "./Chip.module.css";

export function AlwaysOnChip() {
  return (
    <span className={styles.chip} title={text.hosts.alwaysOnNote}>
      {text.hosts.alwaysOn}
    </span>
  );
}
