const KEPT = 100;

/** Lines that were sent, newest last; the same twice in a row counts once. */
export function remembered(lines: readonly string[], line: string): string[] {
  return lines.at(-1) === line ? [...lines] : [...lines, line].slice(-KEPT);
}

/** Where the arrow keys lead: one back or forth, `lines.length` being the line that is being written. */
export function moved(at: number, step: 1 | -1, count: number): number {
  return Math.min(count, Math.max(0, at + step));
}
