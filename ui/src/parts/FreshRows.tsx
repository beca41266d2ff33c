import { selectText } from "../messages/select";
import styles from "./FreshRows.module.css";
import { stopReading } from "./useReading";

interface Props {
  count: number;
  /** Whether there are more than were counted. */
  isMore?: boolean;
}

/** Rows that came while somebody reads: they wait here. */
export function FreshRows({ count, isMore = false }: Props) {
  return (
    <div className={styles.fresh} role="status">
      {count > 0 && (
        <button type="button" onClick={stopReading}>
          {selectText.fresh(count, isMore)}
        </button>
      )}
    </div>
  );
}
