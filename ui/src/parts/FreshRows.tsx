import { selectText } from "../messages/select";
import styles from "./FreshRows.module.css";

interface Props {
  count: number;
  /** Whether there are more than were counted. */
  isMore?: boolean;
}

/** Rows that came while somebody reads further down: they wait here. */
export function FreshRows({ count, isMore = false }: Props) {
  return (
    <div className={styles.fresh} role="status">
      {count > 0 && (
        <button type="button" onClick={() => window.scrollTo({ top: 0 })}>
          {selectText.fresh(count, isMore)}
        </button>
      )}
    </div>
  );
}
