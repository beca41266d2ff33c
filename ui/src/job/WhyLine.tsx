import { sentence } from "../api/client";
import type { JobDetail } from "../api/model";
import { jobText } from "../messages/jobs";
import { TimedText } from "../time/TimedText";
import styles from "./JobPage.module.css";

/** The hub's explanation why a job waits or how it ended. */
export function WhyLine({ job }: { job: JobDetail }) {
  const { text } = job.why;
  // For running and succeeded jobs the status is enough.
  if (!text || job.status === "running" || job.status === "succeeded") return null;
  return (
    <div className={styles.why}>
      <p>
        <span className="sr-only">{jobText.reason}: </span>
        <TimedText>{sentence(text)}</TimedText>
      </p>
    </div>
  );
}
