/** Filter of a list in the URL. */
export interface ListFilter {
  filter?: string;
}

export function readListFilter(search: Record<string, unknown>): ListFilter {
  const { filter } = search;
  const text = typeof filter === "string" || typeof filter === "number" ? String(filter).trim() : "";
  return text ? { filter: text } : {};
}

/** Splits a filter into terms at spaces outside quotes. */
export function termsOf(filter: string | undefined): string[] {
  return (filter ?? "").match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
}

/** Known values of `key:` in the filter; negated terms are ignored. */
export function filterValues<Value extends string>(
  filter: string | undefined,
  key: string,
  allowed: readonly Value[],
): Value[] {
  const values = termsOf(filter)
    .filter((term) => term.startsWith(`${key}:`))
    .flatMap((term) => term.slice(key.length + 1).split(","));
  return allowed.filter((value) => values.includes(value));
}

/** Adds or removes a value of `key:`; the other terms are kept. */
export function toggleFilterValue<Value extends string>(
  filter: string | undefined,
  key: string,
  allowed: readonly Value[],
  value: Value,
): string {
  const selected = new Set(filterValues(filter, key, allowed));
  if (!selected.delete(value)) selected.add(value);
  const rest = termsOf(filter).filter((term) => !term.startsWith(`${key}:`));
  const values = allowed.filter((each) => selected.has(each));
  return [...(values.length > 0 ? [`${key}:${values.join(",")}`] : []), ...rest].join(" ");
}

export interface Completion {
  /** Start of the replaced text. */
  from: number;
  to: number;
  values: string[];
}

const SUGGESTED_MAX = 8;

/** Completions at the caret: keys, or values of the key before the colon. */
export function completionsAt(
  text: string,
  caret: number,
  keys: readonly string[],
  valuesOf: (key: string) => readonly string[],
): Completion {
  const before = text.slice(0, caret);
  const start = before.search(/\S*$/);
  const word = before.slice(start);
  const negation = word.startsWith("-") && !/^-\d/.test(word) ? 1 : 0;
  const colon = word.indexOf(":");
  if (colon < 0) {
    const typed = word.slice(negation);
    const values = keys.filter((key) => key.startsWith(typed) && key !== typed);
    return { from: start + negation, to: caret, values: values.slice(0, SUGGESTED_MAX) };
  }
  const comma = word.lastIndexOf(",");
  const from = start + Math.max(colon, comma) + 1;
  const typed = before.slice(from).toLowerCase();
  const values = valuesOf(word.slice(negation, colon)).filter(
    (value) => value.toLowerCase().includes(typed) && value.toLowerCase() !== typed,
  );
  return { from, to: caret, values: values.slice(0, SUGGESTED_MAX) };
}
