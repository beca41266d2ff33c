import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { logText } from "../messages/log";
import { Icon } from "../parts/Icon";
import { type ExpandedLines, type Fold, foldsOf, lineAt, rowCount, rowOf } from "./fold";
import { ExpandedRow, LogRow } from "./LogRow";
import type { TimeMode } from "./LogToolbar";
import styles from "./LogViewer.module.css";
import type { LogStore } from "./log-store";
import type { Pattern } from "./search";
import { type Extent, nextScroll, physicalPosition, type Scroll, spacerHeight } from "./window";

const words = logText;
const ROW_PX = 20;
/** Rows rendered beyond the visible area, so that scrolling shows no gaps. */
const MARGIN_ROWS = 12;
/** Distance from the end that still counts as the end. */
const END_PX = 30;
const SCROLL_END_MS = 200;

export interface LogLinesProps {
  store: LogStore;
  label: string;
  /** Numbers of the lines to show; all if absent. */
  lineNumbers: number[] | undefined;
  hits: number[];
  pattern: Pattern | undefined;
  times: TimeMode;
  startedAt: string;
  expanded: ExpandedLines;
  onFold: (line: number) => void;
  line: number | undefined;
  onLine: (line: number) => void;
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
}

/** Virtual list: renders only the visible lines of a log of any length. */
export function LogLines(props: LogLinesProps) {
  const { store, label, lineNumbers, expanded, line, isFollowing, onFollow } = props;
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState<Scroll>({ physical: 0, virtual: 0 });
  const [view, setView] = useState(400);
  const folds = useMemo(() => foldsOf(expanded, lineNumbers), [expanded, lineNumbers]);
  const count = rowCount(lineNumbers ? lineNumbers.length : store.total, folds);
  const extent: Extent = { content: Math.max(count * ROW_PX, 1), view };
  const scrollRef = useRef(scroll);
  /** Last scroll position set by code, to tell it from scrolling by the user. */
  const programmaticTop = useRef<number>(undefined);

  const goTo = useCallback((virtual: number, within: Extent) => {
    const element = box.current;
    if (!element) return;
    const maxScroll = Math.max(0, within.content - within.view);
    const next = {
      virtual: Math.min(Math.max(0, virtual), maxScroll),
      physical: physicalPosition(virtual, within),
    };
    scrollRef.current = next;
    setScroll(next);
    programmaticTop.current = next.physical;
    element.scrollTop = next.physical;
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setView(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // While following, keeps the end visible.
  useLayoutEffect(() => {
    const current = { content: Math.max(count * ROW_PX, 1), view };
    if (isFollowing) goTo(current.content, current);
  }, [isFollowing, count, view, goTo]);

  // Scrolls to the line of the URL once the log is long enough.
  const isKnown = line !== undefined && line <= store.total;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new target line moves the view, not new lines
  useEffect(() => {
    if (!isKnown || line === undefined) return;
    const at = lineNumbers ? lineNumbers.indexOf(line) : line - 1;
    const top = rowOf(at, folds) * ROW_PX;
    const isVisible =
      top >= scrollRef.current.virtual && top <= scrollRef.current.virtual + view - ROW_PX * 2;
    if (at >= 0 && !isVisible) goTo(top - view / 3, { content: count * ROW_PX, view });
  }, [line, isKnown, goTo]);

  useScrollEnd(scroll, () => {
    const element = box.current;
    const target = physicalPosition(scrollRef.current.virtual, extent);
    if (!element || Math.abs(element.scrollTop - target) < 2) return;
    // The user has scrolled, and the scroll event is still pending; moving now would undo it.
    if (Math.abs(element.scrollTop - scrollRef.current.physical) >= 2) return;
    goTo(scrollRef.current.virtual, extent);
  });

  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    const expectedTop = programmaticTop.current;
    programmaticTop.current = undefined;
    if (expectedTop !== undefined && Math.abs(element.scrollTop - expectedTop) < 2) return;
    const next = nextScroll(scrollRef.current, element.scrollTop, extent);
    const isBack = next.virtual < scrollRef.current.virtual - 1;
    scrollRef.current = next;
    setScroll(next);
    const isAtEnd = next.virtual + view >= extent.content - END_PX;
    if (isFollowing && isBack && !isAtEnd) onFollow(false);
    else if (!isFollowing && isAtEnd && !isBack && !store.isComplete) onFollow(true);
  };

  const first = Math.max(0, Math.floor(scroll.virtual / ROW_PX) - MARGIN_ROWS);
  const last = Math.min(count, Math.ceil((scroll.virtual + view) / ROW_PX) + MARGIN_ROWS);
  const rows = rowsBetween(first, last, folds, lineNumbers);
  useEffect(() => {
    const [from, to] = [rows[0], rows.at(-1)];
    if (from && to) store.ensureLoaded(from.no, to.no);
  });

  return (
    <div className={styles.holder} style={shortHeight(store, count)}>
      <div
        ref={box}
        className={styles.lines}
        // Screen readers must not read out every new line.
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        data-times={props.times}
      >
        <div className={styles.spacer} style={{ height: spacerHeight(extent) }}>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: shortcuts and the URL hash reach lines by keyboard */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: one listener for all line numbers */}
          <div
            className={styles.layer}
            style={{ transform: `translateY(${scroll.physical - (scroll.virtual - first * ROW_PX)}px)` }}
            onClick={(event) => handleClick(event, props)}
          >
            {rows.map(({ row, no, text }) =>
              text === undefined ? (
                <LogRow
                  key={row}
                  no={no}
                  line={store.line(no)}
                  isChosen={no === line}
                  isExpanded={expanded.has(no)}
                  {...rowProps(props)}
                />
              ) : (
                <ExpandedRow key={row} text={text} times={props.times} />
              ),
            )}
          </div>
        </div>
      </div>
      {count === 0 && store.isStarted && (
        <p className={styles.none}>{store.isComplete ? words.empty : words.emptyYet}</p>
      )}
      {!isFollowing && !store.isComplete && (
        <button type="button" className={styles.toEnd} onClick={() => onFollow(true)}>
          <Icon name="down" />
          {words.live(Math.max(0, count - last))}
        </button>
      )}
      <Ruler hits={props.hits} total={store.total} onLine={props.onLine} />
    </div>
  );
}

/** Content of these rows: a log line, or one row of an expanded JSON line. */
function rowsBetween(first: number, last: number, folds: Fold[], lineNumbers: number[] | undefined) {
  return Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
    const { index, ...rest } = lineAt(first + offset, folds);
    return { row: first + offset, no: lineNumbers?.[index] ?? index + 1, ...rest };
  });
}

/** One click listener for all line numbers and expand buttons. */
export function handleClick(event: React.MouseEvent, { onLine, onFold }: LogLinesProps): void {
  const target = event.target as HTMLElement;
  const fold = target.closest<HTMLElement>("[data-fold]");
  const gutter = target.closest<HTMLElement>("[data-no]");
  if (fold) onFold(Number(fold.dataset.fold));
  else if (gutter) onLine(Number(gutter.dataset.no));
}

const SHORT_ROWS = 14;

/** Reduces the height for short logs of finished runs. */
function shortHeight(store: LogStore, count: number): { height: number } | undefined {
  return store.isComplete && count <= SHORT_ROWS ? { height: Math.max(count, 4) * ROW_PX + 16 } : undefined;
}

function rowProps({ pattern, times, startedAt }: LogLinesProps) {
  return { pattern, times, startedAt };
}

const TICKS_MAX = 200;

/** Marks the positions of search matches beside the scroll bar. */
function Ruler({ hits, total, onLine }: { hits: number[]; total: number; onLine: (line: number) => void }) {
  if (hits.length === 0 || total === 0) return null;
  const every = Math.ceil(hits.length / TICKS_MAX);
  return (
    <div className={styles.ruler} aria-hidden="true">
      {hits
        .filter((_, index) => index % every === 0)
        .map((hit) => (
          <button
            key={hit}
            type="button"
            tabIndex={-1}
            style={{ top: `${(hit / total) * 100}%` }}
            onClick={() => onLine(hit)}
          />
        ))}
    </div>
  );
}

/** Calls `callback` once scrolling has stopped. */
function useScrollEnd(scroll: Scroll, callback: () => void): void {
  const latest = useRef(callback);
  latest.current = callback;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every scroll restarts the timer
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), SCROLL_END_MS);
    return () => clearTimeout(timer);
  }, [scroll]);
}
