import { Link } from "@tanstack/react-router";
import { lazy, memo, Suspense } from "react";
import type { Job } from "../api/model";
import { jobText } from "../messages/jobs";
import { Check } from "../parts/Check";
import { Time } from "../time/Time";
import { JobMark } from "./JobMark";
import { JobMenu } from "./JobMenu";
import { JobSource } from "./JobSource";
import styles from "./JobTable.module.css";
import { type JobListProps, jobsToExplain } from "./job-list";
import { shortId } from "./job-status";

const JobWhy = lazy(() => import("./JobWhy"));

/** Job list for narrow screens. */
export default function JobCards({ jobs, selection, onAction }: JobListProps) {
  const explainedIds = jobsToExplain(jobs);
  return (
    <ul className={styles.cards}>
      {jobs.map((job) => (
        <Card
          key={job.id}
          job={job}
          isSelected={selection.has(job.id)}
          isExplained={explainedIds.has(job.id)}
          onSelect={selection.toggle}
          onAction={onAction}
        />
      ))}
    </ul>
  );
}

interface CardProps {
  job: Job;
  isSelected: boolean;
  isExplained: boolean;
  onSelect: JobListProps["selection"]["toggle"];
  onAction: JobListProps["onAction"];
}

const Card = memo(function Card({ job, isSelected, isExplained, onSelect, onAction }: CardProps) {
  return (
    <li className={styles.card} data-selected={isSelected || undefined} data-job={job.id}>
      <div className={styles.cardTop}>
        <Check
          label={jobText.select(shortId(job.id))}
          isChecked={isSelected}
          onToggle={() => onSelect(job.id, false)}
        />
        <Link to="/jobs/$job" params={{ job: job.id }} className={styles.cardName} data-row={job.id}>
          {job.definition_key}
        </Link>
        <JobMark job={job} />
        <JobMenu job={job} onAction={onAction} />
      </div>
      <div className={styles.cardFacts}>
        <span className="id">{shortId(job.id)}</span>
        <Time at={job.queued_at} />
        <JobSource job={job} />
        {job.host && <span>{job.host}</span>}
      </div>
      <Suspense>
        <JobWhy job={job} isExplained={isExplained} onAction={onAction}>
          {(line) => line}
        </JobWhy>
      </Suspense>
    </li>
  );
});
