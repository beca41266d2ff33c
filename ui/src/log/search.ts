import type { LogLine } from "../api/model";
import { plain } from "./ansi";
import type { FetchLog } from "./log-store";

/** What is looked for: `/regex/`, or a text in which case does not count. */
export interface Pattern {
  find: (line: string) => [number, number][];
}

/** `undefined` for nothing to look for, `null` for what is no pattern. */
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

/** Longer lines are not searched to their end: a pattern could take for ever on them. */
const SEARCHED_CHARS = 20_000;

function findAll(finder: RegExp, line: string): [number, number][] {
  const found: [number, number][] = [];
  for (const match of plain(line).slice(0, SEARCHED_CHARS).matchAll(finder)) {
    // A pattern that matches nothing everywhere marks nothing.
    if (match[0] !== "") found.push([match.index, match.index + match[0].length]);
  }
  return found;
}

export interface ScanState {
  /** Lines looked at so far. */
  scanned: number;
  /** Lines in which something was found. */
  hits: number[];
  /** Lines of the chosen stream; nothing when all are. */
  shown: number[] | undefined;
  isFull: boolean;
}

const SCAN_LINES = 5000;
const HITS_MAX = 10_000;

interface Wish {
  pattern: Pattern | undefined;
  stream: LogLine["stream"] | undefined;
}

/** Looks through a log from where an earlier scan stopped, telling how far it has come. */
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

/** The hit to go to from a line: the next one, or the first again. */
export function hitAfter(hits: number[], line: number, step: 1 | -1): number | undefined {
  if (hits.length === 0) return undefined;
  if (step > 0) return hits.find((hit) => hit > line) ?? hits[0];
  return hits.findLast((hit) => hit < line) ?? hits.at(-1);
}
