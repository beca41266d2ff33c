import { Menu } from "@mantine/core";
import { useState } from "react";
import type { Job } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { jobText } from "../messages/jobs";
import { Icon } from "../parts/Icon";
import styles from "./JobTable.module.css";
import type { JobAct, JobListProps } from "./job-list";
import { isOver, shortId } from "./job-status";

/** The menu is made when it is first asked for: a list has hundreds of rows. */
export function JobMenu({ job, act }: { job: Job; act: JobListProps["act"] }) {
  const [isWanted, setWanted] = useState(false);
  const button = (
    <button
      type="button"
      className={styles.menu}
      aria-label={jobText.menuOf(shortId(job.id))}
      aria-haspopup="menu"
      onClick={() => setWanted(true)}
    >
      <Icon name="dots" />
    </button>
  );
  return isWanted ? <OpenMenu job={job} act={act} button={button} /> : button;
}

function OpenMenu({ job, act, button }: { job: Job; act: JobListProps["act"]; button: React.ReactElement }) {
  const { role } = useSession();
  const refused = refusal(role, "operator");
  const item = (name: JobAct, label: string) => (
    <Menu.Item disabled={refused !== undefined} onClick={() => act(name, job)}>
      {label}
    </Menu.Item>
  );
  return (
    <Menu defaultOpened position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {refused && <Menu.Label>{refused}</Menu.Label>}
        {isOver(job.status) && item("retry", jobText.retryAsk)}
        {item("again", jobText.again)}
        {job.status === "queued" && item("move", jobText.move)}
        {!isOver(job.status) && item("cancel", jobText.cancel)}
      </Menu.Dropdown>
    </Menu>
  );
}
