import { type CSSProperties, Fragment, memo, type ReactNode } from "react";
import { logText } from "../messages/log";
import { parseAnsi, type TextStyle } from "./ansi";
import styles from "./LogText.module.css";

interface Props {
  text: string;
  /** Matches in the plain text, as pairs of start and end. */
  matches?: [number, number][] | undefined;
}

/** The text of a line with its colors. It is always rendered as text, so markup stays visible. */
export const LogText = memo(function LogText({ text, matches }: Props) {
  let at = 0;
  return parseAnsi(text).map((segment, index) => {
    const start = at;
    at += segment.text.length;
    const body = renderMatches(segment.text, start, matches);
    const span = spanProps(segment.style);
    return span ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line have no identity but their index
      <span key={index} {...span}>
        {body}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <span key={index}>{body}</span>
    );
  });
});

function renderMatches(text: string, start: number, matches: [number, number][] | undefined): ReactNode {
  const overlapping = matches?.filter(([from, to]) => to > start && from < start + text.length) ?? [];
  if (overlapping.length === 0) return renderRedacted(text);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [from, to] of overlapping) {
    const [a, b] = [Math.max(0, from - start), Math.min(text.length, to - start)];
    parts.push(text.slice(at, a), <mark key={from}>{text.slice(a, b)}</mark>);
    at = b;
  }
  return [...parts, text.slice(at)];
}

/** Placeholder of a redacted secret value. */
const REDACTED = "•••";

function renderRedacted(text: string): ReactNode {
  if (!text.includes(REDACTED)) return renderLinks(text);
  return text.split(REDACTED).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line have no identity but their index
    <Fragment key={index}>
      {index > 0 && (
        <span className={styles.hidden} title={logText.hidden}>
          {REDACTED}
        </span>
      )}
      {renderLinks(part)}
    </Fragment>
  ));
}

const LINK = /(https:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}])/;

/** Links only https URLs: other schemes could run code, and http could target local machines. */
function renderLinks(text: string): ReactNode {
  if (!text.includes("https://")) return text;
  return text.split(LINK).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line have no identity but their index
      <a key={index} href={part} target="_blank" rel="noreferrer noopener" tabIndex={-1}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}

function spanProps(span: TextStyle): { className: string; style?: CSSProperties } | undefined {
  const [fg, bg] = span.isInverse ? [span.bg, span.fg] : [span.fg, span.bg];
  const names = [
    span.isBold && styles.bold,
    span.isDim && styles.dim,
    span.isItalic && styles.italic,
    span.isUnderlined && styles.underlined,
    span.isStruck && styles.struck,
    span.isInverse && !fg && !bg && styles.inverse,
    typeof fg === "number" && styles[`fg${fg}`],
    typeof bg === "number" && styles[`bg${bg % 8}`],
    typeof fg === "string" && fg && styles.fgTrue,
    typeof bg === "string" && bg && styles.bgTrue,
  ].filter(Boolean);
  if (names.length === 0) return undefined;
  const style = {
    ...(typeof fg === "string" && fg ? { "--fg": fg } : {}),
    ...(typeof bg === "string" && bg ? { "--bg": bg } : {}),
  } as CSSProperties;
  return { className: names.join(" "), style };
}
