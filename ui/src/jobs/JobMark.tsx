import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import type { Job } from "../api/model";
import { useProgress } from "../api/progress";
import { useSession } from "../app/session";
import { jobText } from "../messages/jobs";
import { useNow } from "../time/clock";
import { roughly } from "../time/format";
import { instantIn } from "../time/instant";
import { Time } from "../time/Time";
import { JobGlyph } from "./JobGlyph";
import styles from "./JobMark.module.css";
import { faceOf, isLoudJob, type JobFace, jobTone, lengths } from "./job-status";
import { remaining } from "./remaining";

/** A status as shape, word and color. */
export function FaceMark({ face, word = jobText.status[face] }: { face: JobFace; word?: string }) {
  return (
    <span className={styles.word} data-tone={jobTone(face)} data-loud={isLoudJob(face) || undefined}>
      <JobGlyph face={face} />
      {word}
    </span>
  );
}

/** The status of a job, with its progress or the time of its next attempt. */
export function JobMark({ job }: { job: Job }) {
  const face = faceOf(job);
  return (
    <span className={styles.mark}>
      <FaceMark face={face} />
      {job.status === "running" && <Progress job={job} />}
      {face === "scheduled" && (
        <span className={styles.until}>
          <Time at={job.scheduled_for} />
        </span>
      )}
      {face === "retrying" && <NextTry job={job.id} />}
    </span>
  );
}

/** Time of the next attempt, taken from an explanation that is already cached; sends no request. */
function NextTry({ job }: { job: string }) {
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
  const left = remaining(percent, lengths(job, useNow()).took);
  return (
    <span className={styles.progress} title={message}>
      <progress max={100} value={percent} aria-label={message || undefined} />
      <span className="num dim">{percent} %</span>
      {left !== undefined && <span className="num dim">{jobText.left(roughly(left))}</span>}
    </span>
  );
}
