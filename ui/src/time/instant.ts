/** An instant as the hub writes it within its sentences. */
export const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))/;

/** The first instant that a sentence names. */
export function instantIn(sentence: string): string | undefined {
  return INSTANT.exec(sentence)?.[0];
}
