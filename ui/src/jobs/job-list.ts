import type { Job } from "../api/model";
import type { Selection } from "../parts/useSelection";
import type { JobColumn } from "./columns";

export type JobAction = "retry" | "cancel" | "move" | "copy";

/** At most this many waiting jobs of a list get an explanation of the hub; others show the reason code only. */
const EXPLAINED_MAX = 30;

/** The jobs to explain; each costs one request. */
export function jobsToExplain(jobs: Job[]): ReadonlySet<string> {
  const waiting = jobs.filter(({ status }) => status === "queued").slice(0, EXPLAINED_MAX);
  return new Set(waiting.map(({ id }) => id));
}

export interface JobListProps {
  jobs: Job[];
  selection: Selection;
  onAction: (action: JobAction, job: Job) => void;
  /** Optional columns of the table; the card layout ignores them. */
  columns?: readonly JobColumn[];
}
