import type { Job } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { jobText } from "../messages/jobs";
import { Icon } from "../parts/Icon";
import { Menu, MenuItem, MenuNote } from "../parts/Menu";
import styles from "./JobTable.module.css";
import type { JobAction, JobListProps } from "./job-list";
import { isFinished, shortId } from "./job-status";

/** Menu with the actions of one job. */
export function JobMenu({ job, onAction }: { job: Job; onAction: JobListProps["onAction"] }) {
  const label = jobText.menuOf(shortId(job.id));
  return (
    <Menu
      label={label}
      opener={(props) => (
        <button {...props} type="button" className={styles.menu} aria-label={label}>
          <Icon name="dots" />
        </button>
      )}
    >
      <Items job={job} onAction={onAction} />
    </Menu>
  );
}

function Items({ job, onAction }: { job: Job; onAction: JobListProps["onAction"] }) {
  const { role } = useSession();
  const refused = refusal(role, "operator");
  const item = (name: JobAction, label: string) => (
    <MenuItem refused={refused} onClick={() => onAction(name, job)}>
      {label}
    </MenuItem>
  );
  return (
    <>
      {refused && <MenuNote>{refused}</MenuNote>}
      {isFinished(job.status) && item("retry", jobText.retryButton)}
      {item("copy", jobText.runCopy)}
      {job.status === "queued" && item("move", jobText.move)}
      {!isFinished(job.status) && item("cancel", jobText.cancel)}
    </>
  );
}
