const LINES_MAX = 100;

/** Adds a line to the input history, newest last, without consecutive duplicates. */
export function addToHistory(lines: readonly string[], line: string): string[] {
  return lines.at(-1) === line ? [...lines] : [...lines, line].slice(-LINES_MAX);
}

/** Position in the input history after an arrow key; `lines.length` is the line being typed. */
export function nextHistoryIndex(at: number, step: 1 | -1, count: number): number {
  return Math.min(count, Math.max(0, at + step));
}
