const DAY_MS = 86_400_000;
const YEAR_DAYS = 400;

function offsetName(instant: number, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return parts.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** Instants of the days before the clock changes of about one year. */
export function clockChanges(zone: string, now: number): number[] {
  const found: number[] = [];
  let before = offsetName(now, zone);
  for (let day = 1; day <= YEAR_DAYS; day += 1) {
    const at = now + day * DAY_MS;
    const offset = offsetName(at, zone);
    if (offset !== before) found.push(at - DAY_MS);
    before = offset;
  }
  return found;
}
