import type { Job } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { jobText } from "../messages/jobs";
import { Icon } from "../parts/Icon";
import { Menu, MenuItem, MenuNote } from "../parts/Menu";
import styles from "./JobTable.module.css";
import type { JobAct, JobListProps } from "./job-list";
import { isOver, shortId } from "./job-status";

/** Menu with the actions of one job. */
export function JobMenu({ job, act }: { job: Job; act: JobListProps["act"] }) {
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
      <Items job={job} act={act} />
    </Menu>
  );
}

function Items({ job, act }: { job: Job; act: JobListProps["act"] }) {
  const { role } = useSession();
  const refused = refusal(role, "operator");
  const item = (name: JobAct, label: string) => (
    <MenuItem refused={refused} onClick={() => act(name, job)}>
      {label}
    </MenuItem>
  );
  return (
    <>
      {refused && <MenuNote>{refused}</MenuNote>}
      {isOver(job.status) && item("retry", jobText.retryAsk)}
      {item("again", jobText.again)}
      {job.status === "queued" && item("move", jobText.move)}
      {!isOver(job.status) && item("cancel", jobText.cancel)}
    </>
  );
}
