/** A filter is at most 2 KiB long: so many ids fit into one with room to spare. */
const IDS_MAX = 60;

/** Filters that together name these jobs. */
export function chunkIds(ids: string[]): string[] {
  const filters: string[] = [];
  for (let at = 0; at < ids.length; at += IDS_MAX)
    filters.push(`id:${ids.slice(at, at + IDS_MAX).join(",")}`);
  return filters;
}
