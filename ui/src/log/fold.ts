/** Expanded JSON lines: line number to rows. */
export type ExpandedLines = ReadonlyMap<number, readonly string[]>;

/** An expanded line, by its index among the shown lines. */
export interface Fold {
  index: number;
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
export function toggleFold(
  expanded: ExpandedLines,
  no: number,
  rows: readonly string[] | undefined,
): ExpandedLines {
  const next = new Map(expanded);
  if (!next.delete(no) && rows) next.set(no, rows);
  return next;
}

/** The expanded lines among the shown ones, in order. */
export function foldsOf(expanded: ExpandedLines, lineNumbers: readonly number[] | undefined): Fold[] {
  return [...expanded]
    .map(([no, rows]) => ({ index: lineNumbers ? lineNumbers.indexOf(no) : no - 1, rows }))
    .filter(({ index }) => index >= 0)
    .sort((one, other) => one.index - other.index);
}

export function rowCount(lines: number, folds: readonly Fold[]): number {
  return folds.reduce((sum, { rows }) => sum + rows.length, lines);
}

/** The row index of a line. */
export function rowOf(index: number, folds: readonly Fold[]): number {
  return folds.reduce((row, fold) => (fold.index < index ? row + fold.rows.length : row), index);
}

/** The content of a row: a log line, or a row of the expanded line above it. */
export function lineAt(row: number, folds: readonly Fold[]): { index: number; text?: string } {
  let before = 0;
  for (const { index, rows } of folds) {
    const lineRow = index + before;
    if (row <= lineRow) break;
    const offset = row - lineRow - 1;
    const text = rows[offset];
    if (text !== undefined) return { index, text };
    before += rows.length;
  }
  return { index: row - before };
}
