import type { Job, JobSource as Source } from "../api/model";
import { jobText } from "../messages/jobs";
import { Icon, type IconName } from "../parts/Icon";
import { creatorName } from "./creator-name";
import styles from "./JobTable.module.css";

const ICONS: Record<Source, IconName> = {
  manual: "person",
  event: "bolt",
  schedule: "clock",
  system: "gear",
};

/** Source of a job: an icon for its kind, and the name. */
export function JobSource({ job }: { job: Pick<Job, "source" | "created_by"> }) {
  const kind = jobText.sources[job.source];
  return (
    <span className={styles.creator} title={`${kind} · ${job.created_by}`}>
      <Icon name={ICONS[job.source]} />
      <span className="sr-only">{kind}</span>
      <span className={styles.creatorName}>{creatorName(job.created_by)}</span>
    </span>
  );
}
