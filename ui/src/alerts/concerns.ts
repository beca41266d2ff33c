import type { Alert } from "../api/model";

/** The jobs of an alert: those queued for its host, or the failed ones of its definition. */
export interface Concern {
  filter: string;
  kind: "waiting" | "dead" | "failed";
}

/** Returns the job filter of an alert; `undefined` for alerts without jobs. */
export function concernOf({ kind, subject_kind, subject_name }: Alert): Concern | undefined {
  if (subject_kind === "host" && (kind === "host_offline" || kind === "stale_schedule")) {
    return { kind: "waiting", filter: `status:queued host:${quoted(subject_name)}` };
  }
  if (kind === "dead_letter" && subject_kind === "definition") {
    return { kind: "dead", filter: `status:dead_letter def:${quoted(subject_name)}` };
  }
  if (kind === "job_failed" && subject_kind === "definition") {
    return { kind: "failed", filter: `status:failed def:${quoted(subject_name)}` };
  }
  return undefined;
}

/** Quotes names with spaces. */
function quoted(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name;
}
