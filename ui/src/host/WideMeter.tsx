import styles from "./WideMeter.module.css";

interface Props {
  name: string;
  percent: number;
  detail?: string;
  /** Stale values are not highlighted. */
  isFresh: boolean;
  isDisk?: boolean;
}

export function WideMeter({ name, percent, detail, isFresh, isDisk = false }: Props) {
  const level = !isFresh ? "old" : isDisk && percent > 95 ? "full" : percent >= 85 ? "high" : undefined;
  return (
    <div className={styles.meter} data-level={level}>
      <span className={styles.name}>{name}</span>
      <span className={`${styles.number} num`}>
        {detail && <span className={styles.detail}>{detail}</span>}
        {percent}%
      </span>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.fill} style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
    </div>
  );
}
