import type { JobDetail } from "../api/model";
import { JobGlyph } from "../jobs/JobGlyph";
import { jobTone } from "../jobs/job-status";
import { jobPageText } from "../messages/job-page";
import { jobText } from "../messages/jobs";
import { useNow } from "../time/clock";
import { duration, timeOfDay } from "../time/format";
import { useZoneName } from "../time/zone";
import styles from "./JobTimeline.module.css";
import { type Step, stepsOf } from "./timeline";

const words = jobPageText.timeline;

/** Timeline of a job: queued, started and finished, with the durations between. */
export function JobTimeline({ job }: { job: JobDetail }) {
  const steps = stepsOf(job, useNow());
  return (
    <ol className={styles.timeline} aria-label={words.label}>
      {steps.map((step) => (
        <Point key={step.name} step={step} job={job} />
      ))}
    </ol>
  );
}

function Point({ step, job }: { step: Step; job: JobDetail }) {
  const zone = useZoneName();
  const { name, status, at, isDone, until } = step;
  const displayed = isDone && name !== "ended" && !until?.isRunning ? "succeeded" : status;
  const doneLabel = name === "ended" ? jobText.status[job.status] : words[name];
  const label = isDone ? doneLabel : words.future[name];
  return (
    <li className={styles.step} data-done={isDone || undefined} data-tone={jobTone(displayed)}>
      <span className={styles.point}>
        <JobGlyph status={displayed} />
        <span className={styles.word}>{label}</span>
        {at && (
          <time className="num dim" dateTime={at}>
            {timeOfDay(Date.parse(at), zone)}
          </time>
        )}
      </span>
      {until && name !== "ended" && (
        <span className={styles.between} data-going={until.isRunning || undefined}>
          <span className="num">{words.durations[name](duration(until.ms))}</span>
        </span>
      )}
    </li>
  );
}
