import type { JobDetail } from "../api/model";
import { jobPageText } from "../messages/job-page";
import { CopyButton } from "../parts/CopyButton";
import { Panel } from "../parts/Panel";
import { commandOf } from "../run/cli";
import { aimOf } from "../run/target";
import styles from "./JobPage.module.css";

/** The same from a terminal: what the hub hints at, and the line that makes such a job again. */
export default function TerminalPanel({ job }: { job: JobDetail }) {
  const again = commandOf(job.definition_key, job.payload, aimOf(job.target));
  const lines = [...(job.why.hints ?? []), again];
  return (
    <Panel title={jobPageText.terminal}>
      <ul className={styles.commands}>
        {lines.map((line) => (
          <li key={line}>
            <code>{line}</code>
            <CopyButton value={line} variant="subtle" />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
