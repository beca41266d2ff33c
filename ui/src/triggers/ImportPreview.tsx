import { FaceMark } from "../jobs/JobMark";
import type { JobFace } from "../jobs/job-status";
import { importText as words } from "../messages/import";
import { DataTable } from "../parts/DataTable";
import type { ImportLine } from "./import-api";
import styles from "./TriggersPage.module.css";

const FACES: Record<ImportLine["status"], JobFace> = {
  ok: "succeeded",
  skipped: "canceled",
  wrong: "failed",
};

/** What each line of a crontab becomes, and why some do not. */
export function ImportPreview({ lines }: { lines: ImportLine[] }) {
  const isNone = lines.every(({ status }) => status !== "ok");
  return (
    <section className={styles.preview} aria-label={words.preview}>
      {isNone && <p>{words.nothing}</p>}
      <DataTable
        rows={lines}
        keyOf={({ line }) => String(line)}
        columns={[
          { head: words.line, cell: ({ line }) => <span className="num">{line}</span>, isTight: true },
          { head: words.text, cell: ({ text }) => <code>{text}</code>, isLong: true },
          {
            head: words.becomes,
            cell: (line) => (
              <>
                <FaceMark face={FACES[line.status]} word={words.statuses[line.status]} />
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

function described({ label, schedule, note }: ImportLine): string {
  return [label, schedule?.description ?? schedule?.cron_expr, note].filter(Boolean).join(" · ");
}
