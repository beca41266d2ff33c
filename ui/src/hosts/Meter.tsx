import { text } from "../messages";
import styles from "./Meter.module.css";

interface Props {
  name: string;
  percent: number | undefined;
  /** Highlights high values: a full disk is a fault, a busy processor is not. */
  isDisk?: boolean;
  /** Shows the name before the number. */
  isNamed?: boolean;
}

/** The hub marks a host degraded above `FULL`. */
const HIGH = 85;
const FULL = 95;

/** A percentage with a bar, highlighted above the thresholds. */
export function Meter({ name, percent, isDisk = false, isNamed = false }: Props) {
  if (percent === undefined) return <span className="faint">{text.common.none}</span>;
  const level = isDisk && percent > FULL ? "full" : percent >= HIGH ? "high" : undefined;
  return (
    <span
      className={styles.meter}
      data-level={level}
      title={level === "full" ? text.hosts.diskAlmostFull : undefined}
    >
      {isNamed && <span className={styles.label}>{name}</span>}
      <span className={styles.track} aria-hidden="true">
        <span className={styles.fill} style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
      <span className={`${styles.number} num`}>
        {percent}%
        {level === "full" && (
          <>
            <span aria-hidden="true">!</span>
            <span className="sr-only"> {text.hosts.diskAlmostFull}</span>
          </>
        )}
      </span>
    </span>
  );
}
