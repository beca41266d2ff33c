import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import type { Job } from "../api/model";
import { useProgress } from "../api/progress";
import { useSession } from "../app/session";
import { jobText } from "../messages/jobs";
import { useNow } from "../time/clock";
import { approximateDuration } from "../time/format";
import { instantIn } from "../time/instant";
import { Time } from "../time/Time";
import { JobGlyph } from "./JobGlyph";
import styles from "./JobMark.module.css";
import { type DisplayStatus, displayStatus, isHighlightedJob, jobDurations, jobTone } from "./job-status";
import { remainingTime } from "./remaining";

/** A status as shape, word and color. */
export function StatusLabel({
  status,
  label = jobText.status[status],
}: {
  status: DisplayStatus;
  label?: string;
}) {
  return (
    <span
      className={styles.word}
      data-tone={jobTone(status)}
      data-highlighted={isHighlightedJob(status) || undefined}
    >
      <JobGlyph status={status} />
      {label}
    </span>
  );
}

/** The status of a job, with its progress or the time of its next attempt. */
export function JobMark({ job }: { job: Job }) {
  const status = displayStatus(job);
  return (
    <span className={styles.mark}>
      <StatusLabel status={status} />
      {job.status === "running" && <Progress job={job} />}
      {status === "scheduled" && (
        <span className={styles.until}>
          <Time at={job.scheduled_for} />
        </span>
      )}
      {status === "retrying" && <NextAttempt job={job.id} />}
    </span>
  );
}

/** Time of the next attempt, taken from an explanation that is already cached; sends no request. */
function NextAttempt({ job }: { job: string }) {
  const { org, api } = useSession();
  const { data } = useQuery({
    queryKey: keys.why(org.slug, job),
    queryFn: () => api.why(job),
    enabled: false,
  });
  const at = data && instantIn(data.text);
  return (
    at && (
      <span className={styles.until}>
        <Time at={at} />
      </span>
    )
  );
}

/** A separate component, so that only this part renders every few seconds. */
function Progress({ job }: { job: Job }) {
  const progress = useProgress(job.id);
  return progress && <Bar job={job} {...progress} />;
}

function Bar({ job, percent, message }: { job: Job; percent: number; message: string }) {
  const left = remainingTime(percent, jobDurations(job, useNow()).took);
  return (
    <span className={styles.progress} title={message}>
      <progress max={100} value={percent} aria-label={message || undefined} />
      <span className="num dim">{percent}%</span>
      {left !== undefined && <span className="num dim">{jobText.remaining(approximateDuration(left))}</span>}
    </span>
  );
}
