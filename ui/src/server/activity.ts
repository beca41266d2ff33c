import type { AuditEntry, Job, LiveEvent, ServerState } from "../api/model";
import { serverText } from "../messages/server";

const words = serverText.activity;

/** An activity item: state change, job, or audit entry. */
export type Activity = { at: string } & (
  | { kind: "state"; state: ServerState; text: string }
  | { kind: "job"; job: Job }
  | { kind: "audit"; action: string; actor: string; text: string }
);

/** Merges events, jobs and audit entries of a server, newest first. */
export function mergeActivity(
  server: string,
  events: LiveEvent[],
  jobs: Job[],
  entries: AuditEntry[],
): Activity[] {
  const states = events.flatMap((event): Activity[] => {
    const data = event.data as { server_id?: string; state?: ServerState; reason?: string } | null;
    if (event.type !== "server.state_changed" || data?.server_id !== server || !data.state) return [];
    return [{ at: event.at, kind: "state", state: data.state, text: data.reason ?? "" }];
  });
  const jobItems = jobs.map((job): Activity => ({ at: job.queued_at, kind: "job", job }));
  const auditItems = entries
    .filter((entry) => entry.subject_id === server)
    .map(
      (entry): Activity => ({
        at: entry.at,
        kind: "audit",
        action: words.actions[entry.action] ?? entry.action,
        actor: entry.actor,
        text: detailOf(entry),
      }),
    );
  return [...states, ...jobItems, ...auditItems].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** The console line or the changed fields of an audit entry. */
function detailOf({ action, diff }: AuditEntry): string {
  if (typeof diff !== "object" || diff === null) return "";
  if (action === "server.input" && "line" in diff && Array.isArray(diff.line)) {
    return words.line(String(diff.line[1] ?? ""));
  }
  return action === "server.updated" ? words.fields(Object.keys(diff).join(", ")) : "";
}
