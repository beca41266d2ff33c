const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Times within this distance are shown as "now", so that clock skew shows no events in the future. */
const CLOCK_NOISE = 2 * SECOND;

/** "3 s ago", "in 42 s", or "now" within `CLOCK_NOISE`. */
export function relative(at: number, now: number): string {
  const distance = at - now;
  const size = Math.abs(distance);
  if (size < SECOND || (distance > 0 && size < CLOCK_NOISE)) return "now";
  const words = largestUnit(size);
  return distance < 0 ? `${words} ago` : `in ${words}`;
}

function largestUnit(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** "14 Nov 09:02", with the year if it is not the current one. */
export function absolute(at: number, zone: string, now: number): string {
  const part = (year: boolean) =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      day: "numeric",
      month: "short",
      ...(year ? { year: "numeric" } : {}),
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    })
      .format(at)
      .replace(",", "");
  return part(yearIn(at, zone) !== yearIn(now, zone));
}

/** "Mon 16 Nov 2026 10:41:07". */
export function full(at: number, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  })
    .format(at)
    .replaceAll(",", "");
}

/** "10:41:07". */
export function timeOfDay(at: number, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "medium" }).format(at);
}

function yearIn(at: number, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, year: "numeric" }).format(at);
}

/** Relative within a day, else absolute. */
export function relativeOrAbsolute(at: number, zone: string, now: number): string {
  return Math.abs(at - now) < DAY ? relative(at, now) : absolute(at, zone, now);
}

/** "6 min 12 s": at most two units, never negative. */
export function duration(ms: number): string {
  const left = Math.max(0, ms);
  if (left < SECOND) return `${Math.round(left)} ms`;
  const units: [number, string][] = [
    [DAY, "d"],
    [HOUR, "h"],
    [MINUTE, "min"],
    [SECOND, "s"],
  ];
  const first = units.findIndex(([size]) => left >= size);
  const [size, word] = units[first] as [number, string];
  const whole = Math.floor(left / size);
  const next = units[first + 1];
  const rest = next ? Math.floor((left - whole * size) / next[0]) : 0;
  return next && rest > 0 ? `${whole} ${word} ${rest} ${next[1]}` : `${whole} ${word}`;
}

/** "3 min": one unit, for estimates. */
export function approximateDuration(ms: number): string {
  return largestUnit(Math.max(SECOND, ms));
}

/** "15.6 GiB", in steps of 1,024. */
export function bytes(count: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  const step = count < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(count) / 10));
  const value = count / 1024 ** step;
  return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

/** Percentage as an integer; 0 if the total is 0. */
export function percent(used: number, total: number): number {
  return total > 0 ? Math.round((used * 100) / total) : 0;
}
