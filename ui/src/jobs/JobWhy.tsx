import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { keys } from "../api/keys";
import { usePaused } from "../api/live-pause";
import type { Job } from "../api/model";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { jobReasonText } from "../messages/job-reasons";
import { jobText } from "../messages/jobs";
import { useNow } from "../time/clock";
import { TimedText } from "../time/TimedText";
import styles from "./JobTable.module.css";
import type { JobAct, JobListProps } from "./job-list";

interface Props {
  job: Job;
  /** Whether to request an explanation from the hub. */
  isExplained: boolean;
  act: JobListProps["act"];
  children: (line: ReactNode) => ReactNode;
}

/** Jobs queued for less than this time are about to start and are not explained. */
const SETTLED_MS = 3000;
const ASKED_EVERY_MS = 15_000;

/** Why a job waits or failed, with actions. Renders nothing for other jobs. */
export default function JobWhy({ job, isExplained, act, children }: Props) {
  if (job.status === "queued") {
    // The status already shows when it runs.
    if (job.wait_reason === "later") return null;
    return (
      <Waiting job={job} isExplained={isExplained} act={act}>
        {children}
      </Waiting>
    );
  }
  if (job.status === "failed" || job.status === "dead_letter") {
    const said = job.last_error ?? (job.end_reason && jobReasonText.ends[job.end_reason]) ?? "";
    return children(<Line text={said} job={job} acts={["retry"]} act={act} />);
  }
  if (job.status === "canceled" && job.end_reason && job.end_reason !== "asked") {
    return children(
      <Line text={jobReasonText.ends[job.end_reason] ?? job.end_reason} job={job} acts={[]} act={act} />,
    );
  }
  return null;
}

function Waiting({ job, isExplained, act, children }: Props) {
  const { org, api } = useSession();
  const now = useNow();
  const isSettled = job.attempt_count > 0 || now - Date.parse(job.queued_at) >= SETTLED_MS;
  const why = useQuery({
    queryKey: keys.why(org.slug, job.id),
    queryFn: () => api.why(job.id),
    staleTime: ASKED_EVERY_MS,
    refetchInterval: usePaused() ? false : ASKED_EVERY_MS,
    enabled: isExplained && isSettled,
  });
  if (!isSettled) return null;
  const said =
    // The status already shows the time of the next attempt, so the last error is shown here.
    (job.wait_reason === "retry_backoff" && job.last_error) ||
    (why.data?.text ?? (job.wait_reason && jobReasonText.reasons[job.wait_reason]));
  if (!said) return null;
  const acts: JobAct[] = job.is_hosts_own ? [] : ["move", "cancel"];
  return children(<Line text={said} job={job} acts={acts} act={act} />);
}

const LABELS: Record<JobAct, string> = {
  retry: jobText.retry,
  cancel: jobText.cancel,
  move: jobText.move,
  again: jobText.again,
};

interface LineProps {
  text: string;
  job: Job;
  acts: JobAct[];
  act: JobListProps["act"];
}

function Line({ text, job, acts, act }: LineProps) {
  const { role } = useSession();
  return (
    <span className={styles.whyLine}>
      <span className={styles.whyText} title={text}>
        <TimedText>{text}</TimedText>
      </span>
      {may(role, "operator") &&
        acts.map((each) => (
          <button key={each} type="button" className={styles.act} onClick={() => act(each, job)}>
            {LABELS[each]}
          </button>
        ))}
    </span>
  );
}
