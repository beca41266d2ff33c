import { type CSSProperties, Fragment, memo, type ReactNode } from "react";
import { logText } from "../messages/log";
import { type Look, stretches } from "./ansi";
import styles from "./LogText.module.css";

interface Props {
  text: string;
  /** Matches in the plain text, as pairs of start and end. */
  marks?: [number, number][] | undefined;
}

/** The text of a line with its colors. It is always rendered as text, so markup stays visible. */
export const LogText = memo(function LogText({ text, marks }: Props) {
  let at = 0;
  return stretches(text).map((stretch, place) => {
    const start = at;
    at += stretch.text.length;
    const body = withMarks(stretch.text, start, marks);
    const look = lookOf(stretch.look);
    return look ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line have no identity but their index
      <span key={place} {...look}>
        {body}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <span key={place}>{body}</span>
    );
  });
});

function withMarks(text: string, start: number, marks: [number, number][] | undefined): ReactNode {
  const own = marks?.filter(([from, to]) => to > start && from < start + text.length) ?? [];
  if (own.length === 0) return withHidden(text);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [from, to] of own) {
    const [a, b] = [Math.max(0, from - start), Math.min(text.length, to - start)];
    parts.push(text.slice(at, a), <mark key={from}>{text.slice(a, b)}</mark>);
    at = b;
  }
  return [...parts, text.slice(at)];
}

/** Placeholder of a redacted secret value. */
const HIDDEN = "•••";

function withHidden(text: string): ReactNode {
  if (!text.includes(HIDDEN)) return withLinks(text);
  return text.split(HIDDEN).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line have no identity but their index
    <Fragment key={place}>
      {place > 0 && (
        <span className={styles.hidden} title={logText.hidden}>
          {HIDDEN}
        </span>
      )}
      {withLinks(part)}
    </Fragment>
  ));
}

const LINK = /(https:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}])/;

/** Links only https URLs: other schemes could run code, and http could target local machines. */
function withLinks(text: string): ReactNode {
  if (!text.includes("https://")) return text;
  return text.split(LINK).map((part, place) =>
    place % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line have no identity but their index
      <a key={place} href={part} target="_blank" rel="noreferrer noopener" tabIndex={-1}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}

function lookOf(look: Look): { className: string; style?: CSSProperties } | undefined {
  const [fg, bg] = look.isInverse ? [look.bg, look.fg] : [look.fg, look.bg];
  const names = [
    look.isBold && styles.bold,
    look.isDim && styles.dim,
    look.isItalic && styles.italic,
    look.isUnderlined && styles.underlined,
    look.isStruck && styles.struck,
    look.isInverse && !fg && !bg && styles.inverse,
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
