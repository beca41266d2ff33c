import type { AuditVerdict } from "../api/model";
import { adminText } from "../messages/admin";
import { Icon } from "../parts/Icon";
import styles from "./VerificationBox.module.css";

export function VerificationBox({ verdict }: { verdict: AuditVerdict }) {
  const words = adminText.audit;
  return (
    <div className={styles.box} data-intact={verdict.is_intact || undefined} role="status">
      <Icon name={verdict.is_intact ? "check" : "alert"} />
      <p>
        {verdict.is_intact ? (
          words.intact(verdict.sealed, verdict.unsealed)
        ) : (
          <>
            <strong>{words.broken}</strong> {verdict.problem}
          </>
        )}
      </p>
    </div>
  );
}
