/** A schedule that the simple form supports. */
export interface Simple {
  interval: "minutes" | "hour" | "day" | "week" | "month";
  /** Interval in minutes. */
  minutes: number;
  /** "02:30". */
  at: string;
  /** 0 is Sunday. */
  weekdays: number[];
  monthDay: number;
}

export const DAILY: Simple = { interval: "day", minutes: 15, at: "02:00", weekdays: [1], monthDay: 1 };

/** The equivalent cron expression. */
export function cronOf(simple: Simple): string {
  const [hour = 0, minute = 0] = simple.at.split(":").map(Number);
  switch (simple.interval) {
    case "minutes":
      return `*/${simple.minutes} * * * *`;
    case "hour":
      return `${minute} * * * *`;
    case "day":
      return `${minute} ${hour} * * *`;
    case "week":
      return `${minute} ${hour} * * ${[...simple.weekdays].sort().join(",") || "1"}`;
    case "month":
      return `${minute} ${hour} ${simple.monthDay} * *`;
  }
}

/** Parses a cron expression; `undefined` if the simple form does not support it. */
export function simpleOf(cron: string): Simple | undefined {
  const every = /^\*\/(\d{1,2}) \* \* \* \*$/.exec(cron);
  if (every) return { ...DAILY, interval: "minutes", minutes: Number(every[1]) };
  const nickname: Record<string, string> = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
  };
  const found = /^(\d{1,2}) (\d{1,2}|\*) (\d{1,2}|\*) \* ([0-6](?:,[0-6])*|\*)$/.exec(nickname[cron] ?? cron);
  if (!found) return undefined;
  const [, minute = "0", hour = "*", monthDay = "*", weekdays = "*"] = found;
  const at = `${(hour === "*" ? "0" : hour).padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (hour === "*")
    return monthDay === "*" && weekdays === "*" ? { ...DAILY, interval: "hour", at } : undefined;
  if (monthDay !== "*" && weekdays !== "*") return undefined;
  if (monthDay !== "*") return { ...DAILY, interval: "month", at, monthDay: Number(monthDay) };
  if (weekdays !== "*") return { ...DAILY, interval: "week", at, weekdays: weekdays.split(",").map(Number) };
  return { ...DAILY, at };
}
