import type { Server } from "../api/model";
import jobs from "../jobs/JobTable.module.css";
import { serversText } from "../messages/servers";
import { TimedText } from "../time/TimedText";
import { useRequestedJob } from "./requested-jobs";
import { ServerJob } from "./ServerJob";
import styles from "./Servers.module.css";

/** State reason, move and current job of a server. Renders nothing without any of them. */
export function ServerReason({ server }: { server: Server }) {
  const requestedJob = useRequestedJob(server.id);
  const { state_reason: reason, moves_to: to, host } = server;
  if (!hasReason(server, requestedJob)) return null;
  return (
    <div className={styles.why}>
      {reason && (
        <span className={jobs.whyText}>
          <TimedText>{reason}</TimedText>
        </span>
      )}
      {to && <span>{serversText.moves(to, host)}</span>}
      <ServerJob server={server} />
    </div>
  );
}

/** Whether `ServerReason` renders anything; an empty line would leave a gap. */
export function hasReason(
  { state_reason, moves_to, job_id }: Server,
  requestedJob: string | undefined,
): boolean {
  return Boolean(state_reason || moves_to || job_id || requestedJob);
}
