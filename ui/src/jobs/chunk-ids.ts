/** A filter may have at most 2 KiB; this many IDs fit. */
const IDS_MAX = 60;

/** Splits job IDs into filters of bounded length. */
export function chunkIds(ids: string[]): string[] {
  const filters: string[] = [];
  for (let at = 0; at < ids.length; at += IDS_MAX)
    filters.push(`id:${ids.slice(at, at + IDS_MAX).join(",")}`);
  return filters;
}
