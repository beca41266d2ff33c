/** Timestamps in texts of the hub. */
export const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))/;

/** The first timestamp in a text. */
export function instantIn(sentence: string): string | undefined {
  return INSTANT.exec(sentence)?.[0];
}
