import { memo } from "react";
import type { LogLine } from "../api/model";
import { logText } from "../messages/log";
import { Icon } from "../parts/Icon";
import { duration } from "../time/format";
import { useZoneName } from "../time/zone";
import { stripAnsi } from "./ansi";
import { isJson } from "./fold";
import { LogText } from "./LogText";
import type { TimeMode } from "./LogToolbar";
import styles from "./LogViewer.module.css";
import type { Pattern } from "./search";

const words = logText;

interface RowProps {
  no: number;
  line: LogLine | null | undefined;
  isChosen: boolean;
  pattern: Pattern | undefined;
  times: TimeMode;
  startedAt: string;
  isExpanded: boolean;
}

/** One log line with number, time and stream. */
export const LogRow = memo(function LogRow(props: RowProps) {
  const { no, line, isChosen, pattern, times, startedAt, isExpanded } = props;
  const marks = line ? pattern?.find(line.text) : undefined;
  return (
    <div
      className={styles.row}
      data-stream={line?.stream}
      data-chosen={isChosen || undefined}
      data-hit={(marks && marks.length > 0) || undefined}
    >
      <span className={styles.no} data-no={no}>
        {no}
        {line && isJson(stripAnsi(line.text)) && (
          <button
            type="button"
            tabIndex={-1}
            className={styles.fold}
            data-fold={no}
            aria-expanded={isExpanded}
            aria-label={words.unfold(no)}
          >
            <Icon name="chevron" />
          </button>
        )}
      </span>
      {line && times !== "off" && <LineTime at={line.at} times={times} startedAt={startedAt} />}
      {line && <span className={styles.stream}>{line.stream === "system" ? "sys" : line.stream}</span>}
      <span className={styles.text}>
        {line === undefined && <span className="faint">{words.loading}</span>}
        {line === null && <em className="faint">{words.missingLine(no)}</em>}
        {line && <LogText text={line.text} matches={marks} />}
        {line?.is_cut && <span className={styles.cut}>{words.cut}</span>}
      </span>
    </div>
  );
});

export function ExpandedRow({ text, times }: { text: string; times: TimeMode }) {
  return (
    <div className={styles.row} data-expanded>
      <span className={styles.no} />
      {times !== "off" && <span className={styles.time} />}
      <span className={styles.stream} />
      <span className={styles.text}>{text}</span>
    </div>
  );
}

function LineTime({ at, times, startedAt }: { at: string; times: TimeMode; startedAt: string }) {
  const zone = useZoneName();
  const instant = Date.parse(at);
  const label = times === "since" ? `+${duration(instant - Date.parse(startedAt))}` : clockOf(instant, zone);
  return (
    <time className={styles.time} dateTime={at}>
      {label}
    </time>
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

function clockOf(instant: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      fractionalSecondDigits: 3,
    });
    formats.set(zone, format);
  }
  return format.format(instant);
}
