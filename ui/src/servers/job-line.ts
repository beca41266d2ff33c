import type { JobDetail, ServerAction } from "../api/model";
import type { DisplayStatus } from "../jobs/job-status";
import { serversText as words } from "../messages/servers";

/** How long a succeeded job is shown. */
const DONE_SHOWN_MS = 30_000;

interface JobLine {
  status: DisplayStatus;
  text: string;
}

const ACTIONS: Record<string, ServerAction> = {
  SERVER_START: "start",
  SERVER_STOP: "stop",
  SERVER_RESTART: "restart",
};

type Shown = Pick<JobDetail, "definition_key" | "status" | "finished_at" | "last_error" | "why">;

/** Status line of a server job; `undefined` once it is old. */
export function jobLine(job: Shown, now: number): JobLine | undefined {
  const action = ACTIONS[job.definition_key];
  if (!action) return undefined;
  const name = words.actionNames[action];
  switch (job.status) {
    case "queued":
      return { status: "queued", text: words.waiting(name, job.why.text) };
    case "running":
      return { status: "running", text: words.inProgress[action] };
    case "failed":
    case "dead_letter":
      return { status: "failed", text: words.failedTo(name, job.last_error ?? "") };
    default: {
      const isOld = job.finished_at && now - Date.parse(job.finished_at) > DONE_SHOWN_MS;
      if (isOld) return undefined;
      const isDone = job.status === "succeeded";
      return { status: job.status, text: isDone ? words.completed[action] : words.canceled(name) };
    }
  }
}
