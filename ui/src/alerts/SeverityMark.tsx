import type { Severity } from "../api/model";
import { alertText } from "../messages/alerts";
import styles from "./AlertsPage.module.css";

/** The severity as shape, word and color. */
export function SeverityMark({ severity }: { severity: Severity }) {
  return (
    <span className={styles.severity} data-severity={severity}>
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
        {severity === "critical" && (
          <path d="M4.2 1h5.6L13 4.2v5.6L9.8 13H4.2L1 9.8V4.2Z" fill="currentColor" />
        )}
        {severity === "warning" && <path d="M7 1.8 13 12.2H1Z" fill="currentColor" />}
        {severity === "info" && (
          <circle cx="7" cy="7" r="5" fill="none" stroke="currentColor" strokeWidth="1.8" />
        )}
      </svg>
      {alertText.severity[severity]}
    </span>
  );
}
