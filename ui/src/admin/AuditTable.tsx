import { useState } from "react";
import type { AuditEntry } from "../api/model";
import type { AuditFilter } from "../app/audit-filter";
import { adminText } from "../messages/admin";
import { DataTable } from "../parts/DataTable";
import { Icon } from "../parts/Icon";
import { Time } from "../time/Time";
import { TimedText } from "../time/TimedText";
import { AuditDetail } from "./AuditDetail";
import styles from "./AuditTable.module.css";
import { changesOf, summary } from "./diff";

const words = adminText.audit;

interface Props {
  entries: AuditEntry[];
  onFilter: (change: AuditFilter) => void;
}

/** Audit entries. A click on the actor or action filters by it, a click on the change expands the diff. */
export function AuditTable({ entries, onFilter }: Props) {
  const [open, setOpen] = useState<string>();
  return (
    <DataTable
      rows={entries}
      keyOf={(entry) => entry.id}
      columns={[
        {
          head: words.columns.action,
          isTight: true,
          cell: (entry) => (
            <button type="button" className={styles.link} onClick={() => onFilter({ action: entry.action })}>
              {entry.action}
            </button>
          ),
        },
        { head: words.columns.at, isTight: true, cell: (entry) => <Time at={entry.at} /> },
        {
          head: words.columns.actor,
          isTight: true,
          cell: (entry) => (
            <button type="button" className={styles.link} onClick={() => onFilter({ actor: entry.actor })}>
              {entry.actor}
            </button>
          ),
        },
        { head: words.columns.subject, isTight: true, cell: (entry) => entry.subject ?? entry.subject_kind },
        {
          head: words.columns.change,
          isLong: true,
          cell: (entry) => (
            <button
              type="button"
              data-row
              className={styles.toggle}
              aria-expanded={open === entry.id}
              onClick={() => setOpen(open === entry.id ? undefined : entry.id)}
            >
              <span className={styles.summary}>
                <TimedText>{summary(changesOf(entry.diff)) || words.noDiff}</TimedText>
              </span>
              <Icon name="chevron" />
            </button>
          ),
        },
      ]}
      detail={(entry) => open === entry.id && <AuditDetail entry={entry} />}
    />
  );
}
