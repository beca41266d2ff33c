import type { Batch } from "../api/model";
import { FaceMark } from "../jobs/JobMark";
import type { JobFace } from "../jobs/job-status";
import { workText } from "../messages/work";

const FACES: Record<string, JobFace> = { running: "running", done: "succeeded", stopped: "canceled" };

export function BatchMark({ batch }: { batch: Pick<Batch, "status"> }) {
  return (
    <FaceMark
      face={FACES[batch.status] ?? "queued"}
      word={workText.batches.status[batch.status] ?? batch.status}
    />
  );
}
