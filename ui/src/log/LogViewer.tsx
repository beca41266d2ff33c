import { useCallback, useEffect, useState } from "react";
import { usePaused } from "../api/live-pause";
import type { LogStream, Run } from "../api/model";
import { storage } from "../app/storage";
import { useCommands } from "../frame/commands";
import { logText } from "../messages/log";
import { copyText } from "../parts/copy";
import { ErrorBox } from "../parts/ErrorBox";
import { Icon } from "../parts/Icon";
import { toast } from "../parts/toasts";
import { useNarrow } from "../parts/useNarrow";
import { stripAnsi } from "./ansi";
import { type ExpandedLines, jsonRows, toggleFold } from "./fold";
import { LogLines } from "./LogLines";
import { LogToolbar, type TimeMode } from "./LogToolbar";
import styles from "./LogViewer.module.css";
import { LogWrapped } from "./LogWrapped";
import type { FetchLog, LogStore } from "./log-store";
import { hitAfter } from "./search";
import { useLineHash } from "./useLineHash";
import { useLog } from "./useLog";
import { useScan } from "./useScan";

const words = logText;

interface Props {
  /** Must be a stable function per log: a new one reloads the log. */
  fetchLog: FetchLog;
  run: Pick<Run, "started_at" | "finished_at">;
  label: string;
  file: string;
  /** Whether the hub reports the end of a run only after its last lines arrived. */
  isEndConfirmed?: boolean;
}

/** Log viewer for running and finished runs of any length. */
export default function LogViewer({ fetchLog, run, label, file, isEndConfirmed = false }: Props) {
  const store = useLog(fetchLog, run.finished_at, isEndConfirmed);
  const [line, setLine] = useLineHash();
  const [isFollowing, setFollowing] = useState(line === undefined);
  const [stream, setStream] = useState<LogStream>();
  const [times, setTimes] = useState<TimeMode>(() => readTimes(storage.read("log-times")));
  const [expanded, setExpanded] = useState<ExpandedLines>(new Map());
  const [search, setSearch] = useState("");
  const isNarrow = useNarrow();
  const [wraps, setWraps] = useState(storage.read("log-wrap"));
  const isWrapped = wraps === null ? isNarrow : wraps === "yes";
  const { pattern, state, isScanning } = useScan(fetchLog, store.total, search, stream);

  const goTo = useCallback(
    (next: number | undefined) => {
      if (next === undefined) return;
      setFollowing(false);
      setLine(next);
    },
    [setLine],
  );
  const step = useCallback(
    (direction: 1 | -1) => goTo(hitAfter(state.hits, line ?? 0, direction)),
    [goTo, state.hits, line],
  );
  // Jumps to the first match.
  const firstHit = search === "" ? undefined : state.hits[0];
  useEffect(() => {
    if (firstHit !== undefined) goTo(firstHit);
  }, [firstHit, goTo]);

  const copyLink = () => {
    void copyText(location.href, document.body.firstElementChild as HTMLElement).then((isCopied) => {
      if (isCopied) toast(words.linked);
    });
  };
  const fold = useCallback(
    (no: number | undefined) => {
      const found = no === undefined ? undefined : store.line(no);
      if (found) setExpanded((old) => toggleFold(old, found.no, jsonRows(stripAnsi(found.text))));
    },
    [store],
  );
  const move = (by: 1 | -1) => {
    const next = adjacentLine(line, by, state.lineNumbers, store.total);
    if (next !== undefined) goTo(next);
  };
  useCommands({
    follow: () => setFollowing((old) => !old),
    hitNext: () => step(1),
    hitBefore: () => step(-1),
    next: () => move(1),
    previous: () => move(-1),
    unfold: () => fold(line),
  });

  const Lines = isWrapped ? LogWrapped : LogLines;
  return (
    <section className={styles.viewer} aria-label={words.title}>
      <LogToolbar
        isFollowing={isFollowing}
        onFollow={setFollowing}
        stream={stream}
        onStream={setStream}
        times={times}
        onTimes={(next) => {
          storage.write("log-times", next);
          setTimes(next);
        }}
        isWrapped={isWrapped}
        onWrap={(next) => {
          storage.write("log-wrap", next ? "yes" : "no");
          setWraps(next ? "yes" : "no");
        }}
        search={search}
        onSearch={setSearch}
        isBadPattern={pattern === null}
        scan={state}
        percent={isScanning ? Math.floor((state.scanned * 100) / Math.max(1, store.total)) : undefined}
        line={line}
        onStep={step}
        file={file}
        fetchLog={fetchLog}
        total={store.total}
      />
      {store.error !== undefined && <ErrorBox error={store.error} />}
      <Lines
        store={store}
        label={label}
        lineNumbers={state.lineNumbers}
        hits={state.hits}
        pattern={pattern ?? undefined}
        times={times}
        startedAt={run.started_at}
        expanded={expanded}
        onFold={fold}
        line={line}
        onLine={goTo}
        isFollowing={isFollowing}
        onFollow={setFollowing}
      />
      <footer className={styles.footer}>
        <span role="status">
          {words.lines(store.total)} · <LogState store={store} isFinished={Boolean(run.finished_at)} />
        </span>
        {line !== undefined && (
          <button type="button" className={styles.link} onClick={copyLink}>
            <Icon name="copy" />
            {words.copyLine(line)}
          </button>
        )}
        <span className={styles.keys} aria-hidden="true">
          <kbd>f</kbd> {words.keys.follow} <kbd>n</kbd> {words.keys.next} <kbd>o</kbd> {words.keys.unfold}{" "}
          <kbd>y</kbd> {words.keys.copy}
        </span>
      </footer>
    </section>
  );
}

/** Shows whether more lines can arrive. */
function LogState({ store, isFinished }: { store: LogStore; isFinished: boolean }) {
  const isPaused = usePaused();
  if (store.isComplete) return words.isComplete;
  if (isPaused) return words.isPaused;
  return store.isEnded || isFinished ? words.isEnded : words.isLive;
}

/** The next or previous shown line. */
function adjacentLine(
  line: number | undefined,
  by: 1 | -1,
  lineNumbers: number[] | undefined,
  total: number,
): number | undefined {
  if (lineNumbers)
    return line === undefined ? lineNumbers.at(by > 0 ? 0 : -1) : lineNumbers[lineNumbers.indexOf(line) + by];
  if (total === 0) return undefined;
  if (line === undefined) return by > 0 ? 1 : total;
  return Math.min(total, Math.max(1, line + by));
}

function readTimes(stored: string | null): TimeMode {
  return stored === "clock" || stored === "since" ? stored : "off";
}
