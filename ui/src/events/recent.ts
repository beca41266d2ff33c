import type { LiveEvent } from "../api/model";

interface EventPage {
  items: LiveEvent[];
  next?: number | null;
}

/** The hub lists events oldest first. At most this many pages are read to reach the newest ones. */
const PAGES_MAX = 20;

export async function latest(
  read: (cursor: number | undefined) => Promise<EventPage>,
  count: number,
): Promise<LiveEvent[]> {
  let found: LiveEvent[] = [];
  let cursor: number | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { items, next } = await read(cursor);
    found = [...found, ...items].slice(-count);
    // A page can be empty after filtering and still have a next page.
    if (typeof next !== "number" || next === cursor) break;
    cursor = next;
  }
  return found.reverse();
}

/** Whether the event type starts with one of the prefixes; true without prefixes. */
export function matchesPrefix(event: Pick<LiveEvent, "type">, types: string | undefined): boolean {
  if (event.type === "hello") return false;
  const prefixes = (types ?? "")
    .split(",")
    .map((prefix) => prefix.trim())
    .filter(Boolean);
  return prefixes.length === 0 || prefixes.some((prefix) => event.type.startsWith(prefix));
}

/** Merges live events with stored ones and removes duplicates, which a refetch returns. */
export function mergeEvents(liveEvents: LiveEvent[], stored: LiveEvent[]): LiveEvent[] {
  const known = new Map<string, LiveEvent>();
  for (const event of [...liveEvents, ...stored]) {
    const key = `${event.type} ${event.at} ${JSON.stringify(event.data)}`;
    if (!known.has(key)) known.set(key, event);
  }
  return [...known.values()];
}
