import { useProgress } from "../api/progress";
import { jobText } from "../messages/jobs";
import { JobGlyph } from "./JobGlyph";
import styles from "./JobMark.module.css";
import { faceOf, isLoudJob, type JobFace, jobTone } from "./job-status";

/** Shape, word and colour. */
export function FaceMark({ face, word = jobText.status[face] }: { face: JobFace; word?: string }) {
  return (
    <span className={styles.word} data-tone={jobTone(face)} data-loud={isLoudJob(face) || undefined}>
      <JobGlyph face={face} />
      {word}
    </span>
  );
}

/** The state of a job, with how far it has come if it says so. */
export function JobMark({ job }: { job: Parameters<typeof faceOf>[0] & { id: string } }) {
  const progress = useProgress(job.id);
  return (
    <span className={styles.mark}>
      <FaceMark face={faceOf(job)} />
      {job.status === "running" && progress && (
        <span className={styles.progress} title={progress.message}>
          <progress max={100} value={progress.percent} aria-label={progress.message || undefined} />
          <span className="num dim">{progress.percent} %</span>
        </span>
      )}
    </span>
  );
}
