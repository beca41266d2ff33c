import { sentence } from "../api/client";
import type { JobDetail } from "../api/model";
import { jobText } from "../messages/jobs";
import { TimedText } from "../time/TimedText";
import styles from "./JobPage.module.css";

/** Why it waits, or how it ended, in the hub's words. */
export function WhyLine({ job }: { job: JobDetail }) {
  const { text } = job.why;
  // That it runs or went well is said by its mark.
  if (!text || job.status === "running" || job.status === "succeeded") return null;
  return (
    <div className={styles.why}>
      <p>
        <span className="sr-only">{jobText.why}: </span>
        <TimedText>{sentence(text)}</TimedText>
      </p>
    </div>
  );
}
