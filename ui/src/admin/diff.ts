export interface Change {
  field: string;
  before?: string;
  after?: string;
}

/**
 * Lines of a diff. The hub writes `{field: {from, to}}` or `{field: [from, to]}` for changes, and plain
 * values for what was made: both are read, so that an old row stays readable.
 */
export function changesOf(diff: unknown): Change[] {
  if (diff === null || typeof diff !== "object" || Array.isArray(diff)) return [];
  return Object.entries(diff).map(([field, value]) => {
    const pair = pairOf(value);
    if (!pair) return { field, after: show(value) };
    const change: Change = { field };
    if (pair.before !== undefined) change.before = show(pair.before);
    if (pair.after !== undefined) change.after = show(pair.after);
    return change;
  });
}

function pairOf(value: unknown): { before: unknown; after: unknown } | undefined {
  if (Array.isArray(value) && value.length === 2) return { before: value[0], after: value[1] };
  if (value === null || typeof value !== "object") return undefined;
  const named = value as Record<string, unknown>;
  for (const [before, after] of [
    ["from", "to"],
    ["before", "after"],
    ["old", "new"],
  ] as const) {
    if (before in named || after in named) return { before: named[before], after: named[after] };
  }
  return undefined;
}

function show(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** One line for the list. */
export function summary(changes: Change[]): string {
  return changes
    .map(({ field, before, after }) =>
      before === undefined ? `${field} ${after ?? ""}` : `${field} ${before} → ${after ?? "–"}`,
    )
    .join(", ");
}
