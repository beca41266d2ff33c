import { Button } from "@mantine/core";
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from "react";
import { logText } from "../messages/log";
import { handleClick, type LogLinesProps } from "./LogLines";
import { ExpandedRow, LogRow } from "./LogRow";
import styles from "./LogViewer.module.css";
import { wrappedWindow } from "./window";

const words = logText;
/** Rows loaded per click on the buttons at both ends. */
const STEP_ROWS = 500;
const END_PX = 30;

/** Log with wrapped lines. Their heights are unknown before rendering, so only a part of the log is in the DOM. */
export function LogWrapped(props: LogLinesProps) {
  const { store, label, lineNumbers, pattern, times, startedAt, expanded, line, isFollowing, onFollow } =
    props;
  const box = useRef<HTMLDivElement>(null);
  const [end, setEnd] = useState<number>();
  const count = lineNumbers ? lineNumbers.length : store.total;
  const { first, last } = wrappedWindow(count, isFollowing ? undefined : end);
  const numbers = Array.from(
    { length: last - first },
    (_, row) => lineNumbers?.[first + row] ?? first + row + 1,
  );

  useEffect(() => {
    const [from, to] = [numbers[0], numbers.at(-1)];
    if (from !== undefined && to !== undefined) store.ensureLoaded(from, to);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new line changes the height
  useLayoutEffect(() => {
    if (isFollowing) box.current?.scrollTo(0, box.current.scrollHeight);
  }, [isFollowing, count, store.version()]);
  const isKnown = line !== undefined && line <= store.total;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new target line moves the view, not new lines
  useEffect(() => {
    if (!isKnown || line === undefined || isFollowing) return;
    setEnd((lineNumbers ? lineNumbers.indexOf(line) : line) + STEP_ROWS);
    // After the rows around it were rendered.
    requestAnimationFrame(() =>
      box.current?.querySelector("[data-chosen]")?.scrollIntoView({ block: "center" }),
    );
  }, [line, isKnown]);

  const move = (rows: number) => {
    setEnd(last + rows);
    onFollow(false);
  };
  const onScroll = () => {
    const element = box.current;
    if (!element || !isFollowing) return;
    if (element.scrollTop + element.clientHeight >= element.scrollHeight - END_PX) return;
    setEnd(last);
    onFollow(false);
  };
  return (
    <div className={styles.holder}>
      <div
        ref={box}
        className={styles.lines}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        data-wrapped
      >
        {first > 0 && (
          <Button variant="subtle" onClick={() => move(-STEP_ROWS)}>
            {words.earlier}
          </Button>
        )}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: shortcuts and the URL hash reach lines by keyboard */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: one listener for all line numbers */}
        <div onClick={(event) => handleClick(event, props)}>
          {numbers.map((no) => (
            <Fragment key={no}>
              <LogRow
                no={no}
                line={store.line(no)}
                isChosen={no === line}
                isExpanded={expanded.has(no)}
                pattern={pattern}
                times={times}
                startedAt={startedAt}
              />
              {expanded.get(no)?.map((text, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of one line have no identity but their index
                <ExpandedRow key={index} text={text} times={times} />
              ))}
            </Fragment>
          ))}
        </div>
        {last < count && (
          <Button variant="subtle" onClick={() => move(STEP_ROWS)}>
            {words.later}
          </Button>
        )}
      </div>
      {count === 0 && store.isStarted && (
        <p className={styles.none}>{store.isComplete ? words.empty : words.emptyYet}</p>
      )}
    </div>
  );
}
