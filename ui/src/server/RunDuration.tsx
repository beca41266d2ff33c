import type { ServerRun } from "../api/model";
import { useNow } from "../time/clock";
import { duration } from "../time/format";

/** Duration of a run, updated while it is running. */
export function RunDuration({ run }: { run: Pick<ServerRun, "started_at" | "finished_at"> }) {
  const now = useNow();
  const until = run.finished_at ? Date.parse(run.finished_at) : now;
  return <span className="num dim">{duration(until - Date.parse(run.started_at))}</span>;
}
