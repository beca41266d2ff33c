import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Server } from "../api/model";
import { useSession } from "../app/session";
import { JobGlyph } from "../jobs/JobGlyph";
import { isFinished, jobTone } from "../jobs/job-status";
import { serversText } from "../messages/servers";
import { useNow } from "../time/clock";
import { TimedText } from "../time/TimedText";
import { jobLine } from "./job-line";
import { useRequestedJob } from "./requested-jobs";
import styles from "./Servers.module.css";

/** The current job of a server, or the last one requested on this page. */
export function ServerJob({ server }: { server: Server }) {
  const requestedJob = useRequestedJob(server.id);
  const id = server.job_id ?? requestedJob;
  return id ? <JobLine id={id} /> : null;
}

function JobLine({ id }: { id: string }) {
  const { org, api } = useSession();
  const poll = usePollInterval();
  const job = useQuery({
    queryKey: keys.job(org.slug, id),
    queryFn: () => api.job(id),
    refetchInterval: ({ state }) => (state.data && isFinished(state.data.status) ? false : poll),
  });
  const now = useNow();
  const line = job.data && jobLine(job.data, now);
  if (!line) return null;
  return (
    <span className={styles.job} role="status">
      <span className={styles.jobWord} data-tone={jobTone(line.status)}>
        <JobGlyph status={line.status} />
        <span>
          <TimedText>{line.text}</TimedText>
        </span>
      </span>
      <Link to="/jobs/$job" params={{ job: id }} className={styles.jobLink}>
        {serversText.job}
      </Link>
    </span>
  );
}
