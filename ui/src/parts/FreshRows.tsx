import { selectText } from "../messages/select";
import styles from "./FreshRows.module.css";
import { stopReading } from "./useReading";

interface Props {
  count: number;
  /** Whether the count is a lower bound. */
  isMore?: boolean;
}

/** Button that shows the new rows held back while the user reads. */
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
