import type { Job } from "../api/model";
import type { Selection } from "../parts/useSelection";
import type { JobColumn } from "./columns";

export type JobAct = "retry" | "cancel" | "move" | "again";

/** So many waiting jobs of a list are explained by the hub; the others by their reason alone. */
const EXPLAINED_MAX = 30;

/** The jobs to ask the hub about: each costs a request. */
export function explained(jobs: Job[]): ReadonlySet<string> {
  const waiting = jobs.filter(({ status }) => status === "queued").slice(0, EXPLAINED_MAX);
  return new Set(waiting.map(({ id }) => id));
}

export interface JobListProps {
  jobs: Job[];
  selection: Selection;
  act: (act: JobAct, job: Job) => void;
  /** What the table shows beside name and state; cards show what fits. */
  columns?: readonly JobColumn[];
}
