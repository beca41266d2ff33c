import type { Alert } from "../api/model";

/** The jobs of an alert: those queued for its host, or the failed ones of its definition. */
export interface AlertJobs {
  filter: string;
  kind: "waiting" | "dead" | "failed";
}

/** Returns the job filter of an alert; `undefined` for alerts without jobs. */
export function jobsOfAlert({ kind, subject_kind, subject_name }: Alert): AlertJobs | undefined {
  if (subject_kind === "host" && (kind === "host_offline" || kind === "stale_schedule")) {
    return { kind: "waiting", filter: `status:queued host:${quoteFilterValue(subject_name)}` };
  }
  if (kind === "dead_letter" && subject_kind === "definition") {
    return { kind: "dead", filter: `status:dead_letter def:${quoteFilterValue(subject_name)}` };
  }
  if (kind === "job_failed" && subject_kind === "definition") {
    return { kind: "failed", filter: `status:failed def:${quoteFilterValue(subject_name)}` };
  }
  return undefined;
}

/** Quotes names with spaces. */
function quoteFilterValue(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name;
}
