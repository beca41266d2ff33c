interface FieldChange {
  field: string;
  /** Absent if the field had no value before. */
  before?: string;
  after: string;
}

const EMPTY = "–";

/** Parses a diff: `{field: [before, after]}` is a change, `{field: value}` only records a value. */
export function changesOf(diff: unknown): FieldChange[] {
  if (diff === null || typeof diff !== "object" || Array.isArray(diff)) return [];
  return Object.entries(diff).flatMap(([field, value]): FieldChange[] => {
    const [before, after] = Array.isArray(value) && value.length === 2 ? value : [null, value];
    if (isEmpty(before)) return isEmpty(after) ? [] : [{ field, after: show(after) }];
    return [{ field, before: show(before), after: show(after) }];
  });
}

function isEmpty(value: unknown): boolean {
  return value == null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Formats objects of strings, such as labels, as `key=value`, and other values as JSON. */
function show(value: unknown): string {
  if (isEmpty(value)) return EMPTY;
  if (typeof value !== "object" || Array.isArray(value)) {
    return typeof value === "string" ? value : JSON.stringify(value);
  }
  return Object.entries(value as object)
    .filter(([, inner]) => inner !== null)
    .map(([key, inner]) => (inner === "" ? key : `${key}=${show(inner)}`))
    .join(" ");
}

/** One-line summary for the list. */
export function summary(changes: FieldChange[]): string {
  return changes
    .map(({ field, before, after }) =>
      before === undefined ? `${field} ${after}` : `${field} ${before} → ${after}`,
    )
    .join(", ");
}
