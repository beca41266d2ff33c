import { selectText } from "../messages/select";
import styles from "./NewRowsButton.module.css";
import { stopReading } from "./useReading";

interface Props {
  count: number;
  /** Whether the count is a lower bound. */
  isMore?: boolean;
}

/** Button that shows the new rows held back while the user reads. */
export function NewRowsButton({ count, isMore = false }: Props) {
  return (
    <div className={styles.newRows} role="status">
      {count > 0 && (
        <button type="button" onClick={stopReading}>
          {selectText.newRows(count, isMore)}
        </button>
      )}
    </div>
  );
}
