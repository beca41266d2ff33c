import type { Job } from "../api/model";
import type { Selection } from "./useSelection";

export type JobAct = "retry" | "cancel" | "move" | "again";

export interface JobListProps {
  jobs: Job[];
  selection: Selection;
  act: (act: JobAct, job: Job) => void;
}
