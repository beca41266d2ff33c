import { StatusLabel } from "../jobs/JobMark";
import type { DisplayStatus } from "../jobs/job-status";
import { importText as words } from "../messages/import";
import { DataTable } from "../parts/DataTable";
import type { ImportLine, ImportResult } from "./import-api";
import styles from "./TriggersPage.module.css";

const STATUSES: Record<ImportResult, DisplayStatus> = {
  ready: "succeeded",
  needs_shell: "failed",
  not_understood: "failed",
  variable: "canceled",
};

/** Result of each crontab line, with the reason for unsupported ones. */
export function ImportPreview({ lines }: { lines: ImportLine[] }) {
  const isNone = lines.every(({ verdict }) => verdict !== "ready");
  return (
    <section className={styles.preview} aria-label={words.preview}>
      {isNone && <p>{words.noLines}</p>}
      <DataTable
        rows={lines}
        keyOf={({ line }) => String(line)}
        columns={[
          { head: words.line, cell: ({ line }) => <span className="num">{line}</span>, isTight: true },
          { head: words.text, cell: ({ text }) => <code>{text}</code>, isLong: true },
          {
            head: words.result,
            cell: (line) => (
              <>
                <StatusLabel status={STATUSES[line.verdict]} label={words.verdicts[line.verdict]} />
                <span className="dim"> {described(line)}</span>
              </>
            ),
            isLong: true,
          },
        ]}
      />
    </section>
  );
}

function described({ label, when, note }: ImportLine): string {
  return [label, when, note].filter(Boolean).join(" · ");
}
