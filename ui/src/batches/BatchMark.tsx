import type { Batch } from "../api/model";
import { StatusLabel } from "../jobs/JobMark";
import type { DisplayStatus } from "../jobs/job-status";
import { batchText } from "../messages/batches";

const STATUSES: Record<string, DisplayStatus> = {
  running: "running",
  done: "succeeded",
  stopped: "canceled",
};

export function BatchMark({ batch }: { batch: Pick<Batch, "status"> }) {
  return (
    <StatusLabel
      status={STATUSES[batch.status] ?? "queued"}
      label={batchText.status[batch.status] ?? batch.status}
    />
  );
}
