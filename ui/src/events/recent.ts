import type { LiveEvent } from "../api/model";

interface EventPage {
  items: LiveEvent[];
  next?: number | null;
}

/** The hub lists events from the oldest on: so many pages are read to find the newest, not more. */
const PAGES_MAX = 20;

/** The newest events, newest first. */
export async function latest(
  read: (cursor: number | undefined) => Promise<EventPage>,
  count: number,
): Promise<LiveEvent[]> {
  let found: LiveEvent[] = [];
  let cursor: number | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { items, next } = await read(cursor);
    found = [...found, ...items].slice(-count);
    // A page may hold nothing that fits and still lead on.
    if (typeof next !== "number" || next === cursor) break;
    cursor = next;
  }
  return found.reverse();
}

/** Whether an event's name begins with one of the words; all do if there are none. */
export function matches(event: Pick<LiveEvent, "type">, types: string | undefined): boolean {
  if (event.type === "hello") return false;
  const wanted = (types ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
  return wanted.length === 0 || wanted.some((word) => event.type.startsWith(word));
}

/** What was heard before what was kept, each once: asking again finds what was heard meanwhile. */
export function merged(heard: LiveEvent[], kept: LiveEvent[]): LiveEvent[] {
  const known = new Map<string, LiveEvent>();
  for (const event of [...heard, ...kept]) {
    const key = `${event.type} ${event.at} ${JSON.stringify(event.data)}`;
    if (!known.has(key)) known.set(key, event);
  }
  return [...known.values()];
}
