/** Filter of a list in the URL. */
export interface ListFilter {
  filter?: string;
}

export function readListFilter(search: Record<string, unknown>): ListFilter {
  const { filter } = search;
  const written = typeof filter === "string" || typeof filter === "number" ? String(filter).trim() : "";
  return written ? { filter: written } : {};
}

/** Splits a filter into terms at spaces outside quotes. */
export function termsOf(filter: string | undefined): string[] {
  return (filter ?? "").match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
}

/** Known values of `key:` in the filter; negated terms are ignored. */
export function asked<Word extends string>(
  filter: string | undefined,
  key: string,
  known: readonly Word[],
): Word[] {
  const words = termsOf(filter)
    .filter((term) => term.startsWith(`${key}:`))
    .flatMap((term) => term.slice(key.length + 1).split(","));
  return known.filter((word) => words.includes(word));
}

/** Adds or removes a value of `key:`; the other terms are kept. */
export function toggled<Word extends string>(
  filter: string | undefined,
  key: string,
  known: readonly Word[],
  word: Word,
): string {
  const chosen = new Set(asked(filter, key, known));
  if (!chosen.delete(word)) chosen.add(word);
  const rest = termsOf(filter).filter((term) => !term.startsWith(`${key}:`));
  const words = known.filter((each) => chosen.has(each));
  return [...(words.length > 0 ? [`${key}:${words.join(",")}`] : []), ...rest].join(" ");
}

export interface Completion {
  /** Start of the replaced text. */
  from: number;
  to: number;
  words: string[];
}

const SUGGESTED_MAX = 8;

/** Completions at the caret: keys, or values of the key before the colon. */
export function completed(
  written: string,
  caret: number,
  keys: readonly string[],
  valuesOf: (key: string) => readonly string[],
): Completion {
  const before = written.slice(0, caret);
  const start = before.search(/\S*$/);
  const word = before.slice(start);
  const negation = word.startsWith("-") && !/^-\d/.test(word) ? 1 : 0;
  const colon = word.indexOf(":");
  if (colon < 0) {
    const typed = word.slice(negation);
    const words = keys.filter((key) => key.startsWith(typed) && key !== typed);
    return { from: start + negation, to: caret, words: words.slice(0, SUGGESTED_MAX) };
  }
  const comma = word.lastIndexOf(",");
  const from = start + Math.max(colon, comma) + 1;
  const typed = before.slice(from).toLowerCase();
  const words = valuesOf(word.slice(negation, colon)).filter(
    (value) => value.toLowerCase().includes(typed) && value.toLowerCase() !== typed,
  );
  return { from, to: caret, words: words.slice(0, SUGGESTED_MAX) };
}
