import { text } from "../messages";
import styles from "./Skeleton.module.css";
import { useSlow } from "./useSlow";

const WIDTHS = ["38%", "62%", "47%", "71%", "55%", "42%"];

export function Skeleton({ rows = 6 }: { rows?: number }) {
  const isSlow = useSlow(true);
  if (!isSlow) return null;
  return (
    <div className={styles.rows} role="status" aria-label={text.common.loading}>
      {Array.from({ length: rows }, (_, row) => WIDTHS[row % WIDTHS.length]).map((width, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars have no identity but their index
        <span key={row} className={styles.bar} style={{ width }} />
      ))}
    </div>
  );
}
