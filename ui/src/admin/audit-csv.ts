import type { AuditEntry } from "../api/model";
import { toCsv } from "../parts/csv";
import { saveFile } from "../parts/save-file";

const COLUMNS = [
  "number",
  "at",
  "actor",
  "address",
  "action",
  "subject_kind",
  "subject",
  "diff",
  "request_id",
];

/** The listed audit entries as CSV. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  return toCsv(
    COLUMNS,
    entries.map((entry) => [
      entry.number,
      entry.at,
      entry.actor,
      entry.address,
      entry.action,
      entry.subject_kind,
      entry.subject,
      JSON.stringify(entry.diff),
      entry.request_id,
    ]),
  );
}

export function saveAudit(entries: readonly AuditEntry[]): void {
  saveFile(auditCsv(entries), "audit.csv", "text/csv");
}
