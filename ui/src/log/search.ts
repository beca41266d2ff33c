import type { LogLine } from "../api/model";
import { stripAnsi } from "./ansi";
import type { FetchLog } from "./log-store";

/** A search pattern: `/regex/`, or a case-insensitive text. */
export interface Pattern {
  find: (line: string) => [number, number][];
}

/** `undefined` for an empty search, `null` for an invalid regex. */
export function parsePattern(input: string): Pattern | null | undefined {
  const search = input.trim();
  if (search === "") return undefined;
  const regex = /^\/(.+)\/(i?)$/.exec(search);
  try {
    const source = regex ? (regex[1] ?? "") : search.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const matcher = new RegExp(source, regex ? `g${regex[2]}` : "gi");
    return { find: (line) => findAll(matcher, line) };
  } catch {
    return null;
  }
}

/** Only this many characters of a line are searched, because a regex can take too long on long lines. */
const SEARCHED_CHARS = 20_000;

function findAll(matcher: RegExp, line: string): [number, number][] {
  const matches: [number, number][] = [];
  for (const match of stripAnsi(line).slice(0, SEARCHED_CHARS).matchAll(matcher)) {
    // Ignores empty matches, for example of `/x*/`.
    if (match[0] !== "") matches.push([match.index, match.index + match[0].length]);
  }
  return matches;
}

export interface ScanState {
  /** Lines searched so far. */
  scanned: number;
  /** Numbers of matching lines. */
  hits: number[];
  /** Line numbers of the chosen stream; `undefined` for all streams. */
  lineNumbers: number[] | undefined;
  isFull: boolean;
}

const SCAN_LINES = 5000;
const HITS_MAX = 10_000;

interface ScanFilter {
  pattern: Pattern | undefined;
  stream: LogLine["stream"] | undefined;
}

/** Searches a log from the end of an earlier scan, and reports progress. */
export async function scan(
  fetchLog: FetchLog,
  filter: ScanFilter,
  total: number,
  from: ScanState,
  onProgress: (state: ScanState) => void,
  signal: AbortSignal,
): Promise<void> {
  let state = from;
  while (state.scanned < total && !signal.aborted) {
    const { lines } = await fetchLog({ after: state.scanned, limit: SCAN_LINES }, signal);
    const next = lines.at(-1)?.no ?? total;
    state = scanned(state, lines, filter, Math.max(next, state.scanned + 1));
    onProgress(state);
  }
}

export function scanned(state: ScanState, lines: LogLine[], filter: ScanFilter, upTo: number): ScanState {
  const ofStream = lines.filter(
    ({ stream }) => !filter.stream || stream === filter.stream || stream === "system",
  );
  const { pattern } = filter;
  const matches = pattern ? ofStream.filter(({ text }) => pattern.find(text).length > 0) : [];
  const hits = [...state.hits, ...matches.map(({ no }) => no)];
  return {
    scanned: upTo,
    hits: hits.slice(0, HITS_MAX),
    lineNumbers: filter.stream ? [...(state.lineNumbers ?? []), ...ofStream.map(({ no }) => no)] : undefined,
    isFull: hits.length > HITS_MAX,
  };
}

export const UNSCANNED: ScanState = { scanned: 0, hits: [], lineNumbers: undefined, isFull: false };

/** The next or previous match from a line, wrapping around. */
export function hitAfter(hits: number[], line: number, step: 1 | -1): number | undefined {
  if (hits.length === 0) return undefined;
  if (step > 0) return hits.find((hit) => hit > line) ?? hits[0];
  return hits.findLast((hit) => hit < line) ?? hits.at(-1);
}
