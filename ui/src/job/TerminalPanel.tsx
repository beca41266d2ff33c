import type { JobDetail } from "../api/model";
import { jobPageText } from "../messages/job-page";
import { CopyButton } from "../parts/CopyButton";
import { Panel } from "../parts/Panel";
import { runCommandLine } from "../run/cli";
import { targetFormOf } from "../run/target";
import styles from "./JobPage.module.css";

/** CLI commands for a job: those suggested by the hub, and the one that runs it again. */
export default function TerminalPanel({ job }: { job: JobDetail }) {
  const command = runCommandLine(job.definition_key, job.payload, targetFormOf(job.target));
  const lines = [...(job.why.hints ?? []), command];
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
