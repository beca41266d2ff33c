import { text } from "../messages";
import styles from "./Meter.module.css";

interface Props {
  name: string;
  percent: number | undefined;
  /** For what fills up and stays full: a busy processor is no fault, a full disk is. */
  isFilling?: boolean;
  /** Whether the name stands before the number. */
  isNamed?: boolean;
}

/** The hub calls a host degraded above the second of these. */
const HIGH = 85;
const FULL = 95;

/** A number with a quiet bar; loud only when it is about to hurt. */
export function Meter({ name, percent, isFilling = false, isNamed = false }: Props) {
  if (percent === undefined) return <span className="faint">{text.common.none}</span>;
  const level = isFilling && percent > FULL ? "full" : percent >= HIGH ? "high" : undefined;
  return (
    <span className={styles.meter} data-level={level}>
      {isNamed && <span className={styles.label}>{name}</span>}
      <span className={styles.track} aria-hidden="true">
        <span className={styles.fill} style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
      <span className={`${styles.number} num`}>
        {percent}%{level === "full" && "!"}
      </span>
    </span>
  );
}
