import type { DefinitionChange } from "../api/model";
import { definitionText } from "../messages/definitions";
import styles from "./DefinitionPage.module.css";
import { formatFieldValue } from "./definition-form";

/** Changed fields with old and new values. */
export function Changes({ changes }: { changes: DefinitionChange[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map(({ field, old, new: now }) => (
        <div key={field} className={styles.change}>
          <dt>{field}</dt>
          <dd>
            {old !== null && old !== undefined && (
              <pre className={styles.was}>
                <span className="sr-only">{definitionText.before}: </span>
                {formatFieldValue(old)}
              </pre>
            )}
            <pre className={styles.is}>
              <span className="sr-only">{definitionText.after}: </span>
              {formatFieldValue(now)}
            </pre>
          </dd>
        </div>
      ))}
    </dl>
  );
}
