import type { Alert } from "../api/model";

/** The jobs an alert is about: those that wait for its host, or those of its definition that did not end well. */
export interface Concern {
  filter: string;
  kind: "waiting" | "dead" | "failed";
}

/** Which jobs to show with an alert; nothing for those that are about none. */
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

/** Names may hold spaces. */
function quoted(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name;
}
