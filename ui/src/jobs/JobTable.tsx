import { Link } from "@tanstack/react-router";
import { lazy, memo, Suspense } from "react";
import type { Job } from "../api/model";
import { jobText } from "../messages/jobs";
import { Check } from "../parts/Check";
import table from "../parts/Table.module.css";
import { DEFAULT_COLUMNS, type JobColumn } from "./columns";
import { columnClass, JobCell } from "./JobCell";
import { JobMark } from "./JobMark";
import { JobMenu } from "./JobMenu";
import styles from "./JobTable.module.css";
import { type JobListProps, jobsToExplain } from "./job-list";
import { shortId } from "./job-status";

/** Loaded with the hub's explanations, after the rows. */
const JobWhy = lazy(() => import("./JobWhy"));
const words = jobText.columns;

export function JobTable({ jobs, selection, onAction, columns = DEFAULT_COLUMNS }: JobListProps) {
  const explainedIds = jobsToExplain(jobs);
  const isAll = jobs.length > 0 && jobs.every(({ id }) => selection.has(id));
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col" className={styles.check}>
              <Check
                label={jobText.selectAll}
                isChecked={isAll}
                isPartly={!isAll && selection.size > 0}
                onToggle={() => selection.setAll(isAll ? [] : jobs.map(({ id }) => id))}
              />
            </th>
            <th scope="col">{words.job}</th>
            <th scope="col">{words.definition}</th>
            <th scope="col">{words.status}</th>
            {columns.map((column) => (
              <th key={column} scope="col" className={columnClass(column)}>
                {words[column]}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">{jobText.open}</span>
            </th>
          </tr>
        </thead>
        {jobs.map((job) => (
          <Row
            key={job.id}
            job={job}
            isSelected={selection.has(job.id)}
            isExplained={explainedIds.has(job.id)}
            onSelect={selection.toggle}
            onAction={onAction}
            columns={columns}
          />
        ))}
      </table>
    </div>
  );
}

interface RowProps {
  job: Job;
  isSelected: boolean;
  isExplained: boolean;
  onSelect: JobListProps["selection"]["toggle"];
  onAction: JobListProps["onAction"];
  columns: readonly JobColumn[];
}

const Row = memo(function Row({ job, isSelected, isExplained, onSelect, onAction, columns }: RowProps) {
  return (
    <tbody className={styles.row} data-selected={isSelected || undefined} data-job={job.id}>
      <tr>
        <td className={styles.check}>
          <Check
            label={jobText.select(shortId(job.id))}
            isChecked={isSelected}
            onToggle={(isRange) => onSelect(job.id, isRange)}
          />
        </td>
        <td className={table.tight}>
          <Link to="/jobs/$job" params={{ job: job.id }} className={`${styles.id} id`} data-row={job.id}>
            {shortId(job.id)}
          </Link>
        </td>
        <td className={styles.command}>
          <Link to="/jobs/$job" params={{ job: job.id }} tabIndex={-1} className={styles.name}>
            {job.definition_key}
          </Link>
        </td>
        <td className={styles.status}>
          <JobMark job={job} />
        </td>
        {columns.map((column) => (
          <JobCell key={column} job={job} column={column} />
        ))}
        <td className={table.tight}>
          <JobMenu job={job} onAction={onAction} />
        </td>
      </tr>
      <Suspense>
        <JobWhy job={job} isExplained={isExplained} onAction={onAction}>
          {(line) => (
            <tr className={styles.why}>
              <td colSpan={2} />
              <td colSpan={columns.length + 3}>{line}</td>
            </tr>
          )}
        </JobWhy>
      </Suspense>
    </tbody>
  );
});
