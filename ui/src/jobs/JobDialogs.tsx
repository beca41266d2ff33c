import type { Job } from "../api/model";
import { CancelDialog } from "../job/CancelDialog";
import { MoveDialog } from "../job/MoveDialog";
import { RetryDialog } from "../job/RetryDialog";
import type { JobAction } from "./job-list";

export default function JobDialogs({
  action,
  job,
  onClose,
}: {
  action: JobAction;
  job: Job;
  onClose: () => void;
}) {
  if (action === "cancel") return <CancelDialog job={job} onClose={onClose} />;
  if (action === "move") return <MoveDialog job={job} onClose={onClose} />;
  return <RetryDialog job={job} onClose={onClose} />;
}
