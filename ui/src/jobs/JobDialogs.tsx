import type { Job } from "../api/model";
import { CancelDialog } from "../job/CancelDialog";
import { MoveDialog } from "../job/MoveDialog";
import { RetryDialog } from "../job/RetryDialog";
import type { JobAct } from "./job-list";

/** Dialogs of the job actions. */
export default function JobDialogs({ act, job, onClose }: { act: JobAct; job: Job; onClose: () => void }) {
  if (act === "cancel") return <CancelDialog job={job} onClose={onClose} />;
  if (act === "move") return <MoveDialog job={job} onClose={onClose} />;
  return <RetryDialog job={job} onClose={onClose} />;
}
