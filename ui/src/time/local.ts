/** UTC offset of a zone at an instant, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(instant);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const localTime = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return localTime - Math.floor(instant / 1000) * 1000;
}

/** Converts a local time such as "2026-11-16T09:30" to UTC. A time in a clock-change gap maps to after the gap. */
export function instantOf(localTime: string, zone: string): string {
  const asUtc = Date.parse(`${localTime}${localTime.length === 16 ? ":00" : ""}Z`);
  const guess = asUtc - offsetAt(asUtc, zone);
  return new Date(asUtc - offsetAt(guess, zone)).toISOString();
}

/** Local time of a zone in the format of a date field. */
export function localTimeOf(instant: number, zone: string): string {
  return new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 16);
}
