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
import type { JobAction, JobListProps } from "./job-list";

interface Props {
  job: Job;
  /** Whether to request an explanation from the hub. */
  isExplained: boolean;
  onAction: JobListProps["onAction"];
  children: (line: ReactNode) => ReactNode;
}

/** Jobs queued for less than this time are about to start and are not explained. */
const SETTLED_MS = 3000;
const REFETCH_MS = 15_000;

/** Why a job waits or failed, with actions. Renders nothing for other jobs. */
export default function JobWhy({ job, isExplained, onAction, children }: Props) {
  if (job.status === "queued") {
    // The status already shows when it runs.
    if (job.wait_reason === "later") return null;
    return (
      <Waiting job={job} isExplained={isExplained} onAction={onAction}>
        {children}
      </Waiting>
    );
  }
  if (job.status === "failed" || job.status === "dead_letter") {
    const text = job.last_error ?? (job.end_reason && jobReasonText.ends[job.end_reason]) ?? "";
    return children(<Line text={text} job={job} actions={["retry"]} onAction={onAction} />);
  }
  if (job.status === "canceled" && job.end_reason && job.end_reason !== "asked") {
    return children(
      <Line
        text={jobReasonText.ends[job.end_reason] ?? job.end_reason}
        job={job}
        actions={[]}
        onAction={onAction}
      />,
    );
  }
  return null;
}

function Waiting({ job, isExplained, onAction, children }: Props) {
  const { org, api } = useSession();
  const now = useNow();
  const isSettled = job.attempt_count > 0 || now - Date.parse(job.queued_at) >= SETTLED_MS;
  const why = useQuery({
    queryKey: keys.why(org.slug, job.id),
    queryFn: () => api.why(job.id),
    staleTime: REFETCH_MS,
    refetchInterval: usePaused() ? false : REFETCH_MS,
    enabled: isExplained && isSettled,
  });
  if (!isSettled) return null;
  const text =
    // The status already shows the time of the next attempt, so the last error is shown here.
    (job.wait_reason === "retry_backoff" && job.last_error) ||
    (why.data?.text ?? (job.wait_reason && jobReasonText.reasons[job.wait_reason]));
  if (!text) return null;
  const actions: JobAction[] = job.is_hosts_own ? [] : ["move", "cancel"];
  return children(<Line text={text} job={job} actions={actions} onAction={onAction} />);
}

const LABELS: Record<JobAction, string> = {
  retry: jobText.retryButton,
  cancel: jobText.cancel,
  move: jobText.move,
  copy: jobText.runCopy,
};

interface LineProps {
  text: string;
  job: Job;
  actions: JobAction[];
  onAction: JobListProps["onAction"];
}

function Line({ text, job, actions, onAction }: LineProps) {
  const { role } = useSession();
  return (
    <span className={styles.whyLine}>
      <span className={styles.whyText} title={text}>
        <TimedText>{text}</TimedText>
      </span>
      {may(role, "operator") &&
        actions.map((each) => (
          <button key={each} type="button" className={styles.action} onClick={() => onAction(each, job)}>
            {LABELS[each]}
          </button>
        ))}
    </span>
  );
}
