/** Lines that are unfolded, by their number: each with the rows beneath it. */
export type Unfolded = ReadonlyMap<number, readonly string[]>;

/** An unfolded line, by its place among the lines that are shown. */
export interface Fold {
  place: number;
  rows: readonly string[];
}

/** Longer ones are not looked at: reading them for every row would make scrolling slow. */
const JSON_CHARS = 20_000;
const ROWS_MAX = 1000;

/** The rows of a line that is a JSON object or list, one for each of its values; nothing for any other line. */
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

/** Unfolds a line, or folds it again. */
export function toggled(unfolded: Unfolded, no: number, rows: readonly string[] | undefined): Unfolded {
  const next = new Map(unfolded);
  if (!next.delete(no) && rows) next.set(no, rows);
  return next;
}

/** The unfolded lines in order, of those that are shown. */
export function foldsOf(unfolded: Unfolded, shown: readonly number[] | undefined): Fold[] {
  return [...unfolded]
    .map(([no, rows]) => ({ place: shown ? shown.indexOf(no) : no - 1, rows }))
    .filter(({ place }) => place >= 0)
    .sort((one, other) => one.place - other.place);
}

export function rowCount(lines: number, folds: readonly Fold[]): number {
  return folds.reduce((sum, { rows }) => sum + rows.length, lines);
}

/** The row at which a line stands. */
export function rowOf(place: number, folds: readonly Fold[]): number {
  return folds.reduce((row, fold) => (fold.place < place ? row + fold.rows.length : row), place);
}

/** What stands in a row: a line, or so many rows beneath it. */
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
