import type { AuditEntry } from "../api/model";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { full } from "../time/format";
import { TimedText } from "../time/TimedText";
import styles from "./AuditTable.module.css";
import { changesOf } from "./diff";

const words = adminText.audit;

/** The full diff of an audit entry, its sequence number and its request ID. */
export function AuditDetail({ entry }: { entry: AuditEntry }) {
  const changes = changesOf(entry.diff);
  return (
    <div className={styles.detail}>
      {changes.length > 0 && (
        <table className={styles.diff}>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td className={styles.before}>
                  {before !== undefined && (
                    <del>
                      <span className="sr-only">{words.before} </span>
                      <TimedText isPlain>{before}</TimedText>
                    </del>
                  )}
                </td>
                <td className={styles.after}>
                  <ins>
                    <span className="sr-only">{words.after} </span>
                    <TimedText isPlain>{after}</TimedText>
                  </ins>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={styles.facts}>
        <span>
          {words.number} {entry.number ?? words.unsealed}
        </span>
        <span>{`${full(Date.parse(entry.at), "UTC")} UTC`}</span>
        {entry.address && (
          <span>
            {words.from} <span className="id">{entry.address}</span>
          </span>
        )}
        {entry.subject_id && (
          <span>
            {entry.subject_kind} <span className="id">{entry.subject_id}</span>
          </span>
        )}
        {entry.request_id && (
          <span>
            {text.errors.requestId} <span className="id">{entry.request_id}</span>
          </span>
        )}
      </p>
    </div>
  );
}
