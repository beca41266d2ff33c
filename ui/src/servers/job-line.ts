import type { JobDetail, ServerAct } from "../api/model";
import type { JobFace } from "../jobs/job-status";
import { serversText as words } from "../messages/servers";

/** How long a succeeded job is shown. */
const DONE_SHOWN_MS = 30_000;

interface JobLine {
  face: JobFace;
  said: string;
}

const ACTS: Record<string, ServerAct> = {
  SERVER_START: "start",
  SERVER_STOP: "stop",
  SERVER_RESTART: "restart",
};

type Shown = Pick<JobDetail, "definition_key" | "status" | "finished_at" | "last_error" | "why">;

/** Status line of a server job; `undefined` once it is old. */
export function jobLine(job: Shown, now: number): JobLine | undefined {
  const act = ACTS[job.definition_key];
  if (!act) return undefined;
  const name = words.jobAct[act];
  switch (job.status) {
    case "queued":
      return { face: "queued", said: words.waits(name, job.why.text) };
    case "running":
      return { face: "running", said: words.doing[act] };
    case "failed":
    case "dead_letter":
      return { face: "failed", said: words.failedTo(name, job.last_error ?? "") };
    default: {
      const isOld = job.finished_at && now - Date.parse(job.finished_at) > DONE_SHOWN_MS;
      if (isOld) return undefined;
      const isDone = job.status === "succeeded";
      return { face: job.status, said: isDone ? words.did[act] : words.canceled(name) };
    }
  }
}
