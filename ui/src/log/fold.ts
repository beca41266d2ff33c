/** Expanded JSON lines: line number to rows. */
export type Unfolded = ReadonlyMap<number, readonly string[]>;

/** An expanded line, by its index among the shown lines. */
export interface Fold {
  place: number;
  rows: readonly string[];
}

/** Longer lines are not parsed, because parsing them per row would slow down scrolling. */
const JSON_CHARS = 20_000;
const ROWS_MAX = 1000;

/** One row per value of a JSON object or array; `undefined` for other lines. */
export function jsonRows(text: string): string[] | undefined {
  const value = readJson(text);
  return value && JSON.stringify(value, undefined, 2).split("\n").slice(0, ROWS_MAX);
}

export function isJson(text: string): boolean {
  return readJson(text) !== undefined;
}

function readJson(text: string): object | undefined {
  if (text.length > JSON_CHARS || !/^\s*[{[][\s\S]*[}\]]\s*$/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && Object.keys(value).length > 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Expands or collapses a line. */
export function toggled(unfolded: Unfolded, no: number, rows: readonly string[] | undefined): Unfolded {
  const next = new Map(unfolded);
  if (!next.delete(no) && rows) next.set(no, rows);
  return next;
}

/** The expanded lines among the shown ones, in order. */
export function foldsOf(unfolded: Unfolded, shown: readonly number[] | undefined): Fold[] {
  return [...unfolded]
    .map(([no, rows]) => ({ place: shown ? shown.indexOf(no) : no - 1, rows }))
    .filter(({ place }) => place >= 0)
    .sort((one, other) => one.place - other.place);
}

export function rowCount(lines: number, folds: readonly Fold[]): number {
  return folds.reduce((sum, { rows }) => sum + rows.length, lines);
}

/** The row index of a line. */
export function rowOf(place: number, folds: readonly Fold[]): number {
  return folds.reduce((row, fold) => (fold.place < place ? row + fold.rows.length : row), place);
}

/** The content of a row: a log line, or a row of the expanded line above it. */
export function lineAt(row: number, folds: readonly Fold[]): { place: number; text?: string } {
  let before = 0;
  for (const { place, rows } of folds) {
    const own = place + before;
    if (row <= own) break;
    const beneath = row - own - 1;
    const text = rows[beneath];
    if (text !== undefined) return { place, text };
    before += rows.length;
  }
  return { place: row - before };
}
