import type { LogLine } from "../api/model";
import { plain } from "./ansi";
import type { FetchLog } from "./log-store";

/** A search pattern: `/regex/`, or a case-insensitive text. */
export interface Pattern {
  find: (line: string) => [number, number][];
}

/** `undefined` for an empty search, `null` for an invalid regex. */
export function readPattern(written: string): Pattern | null | undefined {
  const wanted = written.trim();
  if (wanted === "") return undefined;
  const regex = /^\/(.+)\/(i?)$/.exec(wanted);
  try {
    const source = regex ? (regex[1] ?? "") : wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const finder = new RegExp(source, regex ? `g${regex[2]}` : "gi");
    return { find: (line) => findAll(finder, line) };
  } catch {
    return null;
  }
}

/** Only this many characters of a line are searched, because a regex can take too long on long lines. */
const SEARCHED_CHARS = 20_000;

function findAll(finder: RegExp, line: string): [number, number][] {
  const found: [number, number][] = [];
  for (const match of plain(line).slice(0, SEARCHED_CHARS).matchAll(finder)) {
    // Ignores empty matches, for example of `/x*/`.
    if (match[0] !== "") found.push([match.index, match.index + match[0].length]);
  }
  return found;
}

export interface ScanState {
  /** Lines searched so far. */
  scanned: number;
  /** Numbers of matching lines. */
  hits: number[];
  /** Line numbers of the chosen stream; `undefined` for all streams. */
  shown: number[] | undefined;
  isFull: boolean;
}

const SCAN_LINES = 5000;
const HITS_MAX = 10_000;

interface Wish {
  pattern: Pattern | undefined;
  stream: LogLine["stream"] | undefined;
}

/** Searches a log from the end of an earlier scan, and reports progress. */
export async function scan(
  fetchLog: FetchLog,
  wish: Wish,
  total: number,
  from: ScanState,
  tell: (state: ScanState) => void,
  signal: AbortSignal,
): Promise<void> {
  let state = from;
  while (state.scanned < total && !signal.aborted) {
    const { lines } = await fetchLog({ after: state.scanned, limit: SCAN_LINES }, signal);
    const next = lines.at(-1)?.no ?? total;
    state = scanned(state, lines, wish, Math.max(next, state.scanned + 1));
    tell(state);
  }
}

export function scanned(state: ScanState, lines: LogLine[], wish: Wish, upTo: number): ScanState {
  const ofStream = lines.filter(
    ({ stream }) => !wish.stream || stream === wish.stream || stream === "system",
  );
  const { pattern } = wish;
  const found = pattern ? ofStream.filter(({ text }) => pattern.find(text).length > 0) : [];
  const hits = [...state.hits, ...found.map(({ no }) => no)];
  return {
    scanned: upTo,
    hits: hits.slice(0, HITS_MAX),
    shown: wish.stream ? [...(state.shown ?? []), ...ofStream.map(({ no }) => no)] : undefined,
    isFull: hits.length > HITS_MAX,
  };
}

export const UNSCANNED: ScanState = { scanned: 0, hits: [], shown: undefined, isFull: false };

/** The next or previous match from a line, wrapping around. */
export function hitAfter(hits: number[], line: number, step: 1 | -1): number | undefined {
  if (hits.length === 0) return undefined;
  if (step > 0) return hits.find((hit) => hit > line) ?? hits[0];
  return hits.findLast((hit) => hit < line) ?? hits.at(-1);
}
