import type { AuditEntry, Job, LiveEvent, ServerState } from "../api/model";
import { serverText } from "../messages/server";

const words = serverText.activity;

/** An activity item: state change, job, or audit entry. */
export type Happening = { at: string } & (
  | { kind: "state"; state: ServerState; said: string }
  | { kind: "job"; job: Job }
  | { kind: "deed"; action: string; actor: string; said: string }
);

/** Merges events, jobs and audit entries of a server, newest first. */
export function happenings(
  server: string,
  events: LiveEvent[],
  jobs: Job[],
  deeds: AuditEntry[],
): Happening[] {
  const states = events.flatMap((event): Happening[] => {
    const data = event.data as { server_id?: string; state?: ServerState; reason?: string } | null;
    if (event.type !== "server.state_changed" || data?.server_id !== server || !data.state) return [];
    return [{ at: event.at, kind: "state", state: data.state, said: data.reason ?? "" }];
  });
  const made = jobs.map((job): Happening => ({ at: job.queued_at, kind: "job", job }));
  const done = deeds
    .filter((deed) => deed.subject_id === server)
    .map(
      (deed): Happening => ({
        at: deed.at,
        kind: "deed",
        action: words.actions[deed.action] ?? deed.action,
        actor: deed.actor,
        said: saidOf(deed),
      }),
    );
  return [...states, ...made, ...done].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** The console line or the changed fields of an audit entry. */
function saidOf({ action, diff }: AuditEntry): string {
  if (typeof diff !== "object" || diff === null) return "";
  if (action === "server.input" && "line" in diff && Array.isArray(diff.line)) {
    return words.line(String(diff.line[1] ?? ""));
  }
  return action === "server.updated" ? words.fields(Object.keys(diff).join(", ")) : "";
}
