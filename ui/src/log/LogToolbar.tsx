import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { LogStream } from "../api/model";
import { logText } from "../messages/log";
import { Icon } from "../parts/Icon";
import { showError, toast } from "../parts/toasts";
import { copyAll, download } from "./download";
import styles from "./LogViewer.module.css";
import type { FetchLog } from "./log-store";
import type { ScanState } from "./search";

const words = logText;

/** Longer logs are downloaded instead of copied. */
const COPIED_MAX = 50_000;

export type TimeMode = "off" | "clock" | "since";

interface Props {
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
  stream: LogStream | undefined;
  onStream: (stream: LogStream | undefined) => void;
  times: TimeMode;
  onTimes: (times: TimeMode) => void;
  isWrapped: boolean;
  onWrap: (isWrapped: boolean) => void;
  search: string;
  onSearch: (search: string) => void;
  isBadPattern: boolean;
  scan: ScanState;
  /** Progress of a running search. */
  percent: number | undefined;
  line: number | undefined;
  onStep: (direction: 1 | -1) => void;
  /** File name of the download. */
  file: string;
  fetchLog: FetchLog;
  total: number;
}

export function LogToolbar(props: Props) {
  const { isFollowing, onFollow, stream, onStream, times, onTimes } = props;
  return (
    <div className={styles.toolbar}>
      <Button
        variant={isFollowing ? "light" : "default"}
        aria-pressed={isFollowing}
        leftSection={<Icon name="down" />}
        onClick={() => onFollow(!isFollowing)}
      >
        {words.follow}
      </Button>
      <NativeSelect
        aria-label={words.streams}
        value={stream ?? "all"}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onStream(value === "all" ? undefined : (value as LogStream));
        }}
        data={Object.entries(words.streamChoices).map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        aria-label={words.times}
        value={times}
        onChange={(event) => onTimes(event.currentTarget.value as TimeMode)}
        data={Object.entries(words.timeChoices).map(([value, label]) => ({ value, label }))}
      />
      <Button
        variant={props.isWrapped ? "light" : "default"}
        aria-pressed={props.isWrapped}
        onClick={() => props.onWrap(!props.isWrapped)}
      >
        {words.wrap}
      </Button>
      <Search {...props} />
      <OutputButtons {...props} />
    </div>
  );
}

function Search({ search, onSearch, isBadPattern, scan, percent, line, onStep }: Props) {
  const at = line === undefined ? -1 : scan.hits.indexOf(line);
  const count = () => {
    if (isBadPattern) return words.invalidRegex;
    if (scan.hits.length > 0) return words.hits(at + 1, scan.hits.length, scan.isFull);
    return percent === undefined ? words.noHits : "";
  };
  return (
    <search className={styles.search}>
      <TextInput
        type="search"
        aria-label={words.search}
        placeholder={words.searchHint}
        data-filter
        leftSection={<Icon name="search" />}
        spellCheck={false}
        autoComplete="off"
        value={search}
        error={isBadPattern}
        onChange={(event) => onSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      {search.trim() !== "" && (
        <span className={styles.hits} role="status">
          <span className="num">{count()}</span>
          {percent !== undefined && <span className="num dim">{words.searching(percent)}</span>}
          <button type="button" aria-label={words.previousHit} onClick={() => onStep(-1)}>
            <Icon name="up" />
          </button>
          <button type="button" aria-label={words.nextHit} onClick={() => onStep(1)}>
            <Icon name="down" />
          </button>
        </span>
      )}
    </search>
  );
}

/** Buttons that copy or download the whole output. */
function OutputButtons({ file, fetchLog, total }: Props) {
  const [busy, setBusy] = useState<"copy" | "download">();
  const run = async (what: "copy" | "download", action: () => Promise<void>) => {
    setBusy(what);
    try {
      await action();
    } catch (cause) {
      showError(cause as Error);
    } finally {
      setBusy(undefined);
    }
  };
  const copy = async () => {
    if (await copyAll(fetchLog, total)) toast(words.copied(total));
  };
  return (
    <>
      {total <= COPIED_MAX && (
        <Button
          variant="subtle"
          disabled={total === 0}
          loading={busy === "copy"}
          leftSection={<Icon name="copy" />}
          onClick={() => void run("copy", copy)}
        >
          {words.copy}
        </Button>
      )}
      <Button
        variant="subtle"
        disabled={total === 0}
        loading={busy === "download"}
        leftSection={<Icon name="download" />}
        onClick={() => void run("download", () => download(fetchLog, total, file))}
      >
        {words.download}
      </Button>
    </>
  );
}
