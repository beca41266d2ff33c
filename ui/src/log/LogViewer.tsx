import { useCallback, useEffect, useState } from "react";
import type { LogStream, Run } from "../api/model";
import { storage } from "../app/storage";
import { logText } from "../messages/log";
import { copyText } from "../parts/copy";
import { ErrorBox } from "../parts/ErrorBox";
import { toast } from "../parts/toasts";
import { useNarrow } from "../parts/useNarrow";
import { LogLines } from "./LogLines";
import { LogToolbar, type TimeMode } from "./LogToolbar";
import styles from "./LogViewer.module.css";
import { LogWrapped } from "./LogWrapped";
import type { FetchLog } from "./log-store";
import { hitAfter } from "./search";
import { useLineHash } from "./useLineHash";
import { useLog } from "./useLog";
import { useLogKeys } from "./useLogKeys";
import { useScan } from "./useScan";

const words = logText;

interface Props {
  /** Stays the same function as long as it is the same log. */
  fetchLog: FetchLog;
  run: Pick<Run, "started_at" | "finished_at">;
  label: string;
  file: string;
}

/** The output of a run: as long as it may be, while it comes and afterwards. */
export default function LogViewer({ fetchLog, run, label, file }: Props) {
  const store = useLog(fetchLog, run.finished_at);
  const [line, setLine] = useLineHash();
  const [isFollowing, setFollowing] = useState(line === undefined);
  const [stream, setStream] = useState<LogStream>();
  const [times, setTimes] = useState<TimeMode>("off");
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
  // What is found first is shown at once.
  const firstHit = search === "" ? undefined : state.hits[0];
  useEffect(() => {
    if (firstHit !== undefined) goTo(firstHit);
  }, [firstHit, goTo]);

  const copyLink = () => {
    void copyText(location.href, document.body.firstElementChild as HTMLElement).then((isCopied) => {
      if (isCopied) toast(words.linked);
    });
  };
  useLogKeys({ onFollow: () => setFollowing((old) => !old), onStep: step, onCopy: copyLink });

  const Lines = isWrapped ? LogWrapped : LogLines;
  return (
    <section className={styles.viewer} aria-label={words.title}>
      <LogToolbar
        isFollowing={isFollowing}
        onFollow={setFollowing}
        stream={stream}
        onStream={setStream}
        times={times}
        onTimes={setTimes}
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
        shown={state.shown}
        hits={state.hits}
        pattern={pattern ?? undefined}
        times={times}
        startedAt={run.started_at}
        line={line}
        onLine={goTo}
        isFollowing={isFollowing}
        onFollow={setFollowing}
      />
      <footer className={styles.foot}>
        <span>
          {words.lines(store.total)} · {store.isComplete ? words.isComplete : words.isLive}
        </span>
        <span className={styles.keys} aria-hidden="true">
          <kbd>f</kbd> {words.keys.follow} <kbd>n</kbd> {words.keys.next} <kbd>y</kbd> {words.keys.copy}
        </span>
      </footer>
    </section>
  );
}
