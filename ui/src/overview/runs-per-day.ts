const DAY_MINUTES = 1440;
const ALIASES: Record<string, number> = { "@hourly": 24, "@daily": 1, "@midnight": 1 };
const UNITS: Record<string, number> = { s: 1 / 60, m: 1, h: 60, d: DAY_MINUTES };

/** Schedules with more runs per day are shown as a count. */
const SINGLE_MAX = 12;

/** Number of values of a cron field below `bound`; `undefined` if the syntax is not supported here. */
function countValues(field: string, bound: number): number | undefined {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    if (!match) return undefined;
    const [, first, last, step] = match;
    const from = Number(first ?? 0);
    const to = first === undefined || (last === undefined && step) ? bound - 1 : Number(last ?? first);
    for (let value = from; value <= to && value < bound; value += Number(step ?? 1) || bound)
      values.add(value);
  }
  return values.size;
}

/** Runs per day of a schedule; 1 if only the scheduler of the hub can tell. */
export function runsPerDay(cron: string | null | undefined): number {
  if (!cron) return 1;
  const every = /^@every (\d+)([smhd])$/.exec(cron);
  if (every) return Math.max(1, Math.floor(DAY_MINUTES / (Number(every[1]) * (UNITS[every[2] ?? ""] ?? 1))));
  const alias = ALIASES[cron];
  if (alias) return alias;
  const fields = cron.trim().split(/\s+/);
  // With six fields, the first one is the seconds.
  const [second = "0", minute = "", hour = ""] = fields.length > 5 ? fields : ["0", ...fields];
  return (countValues(second, 60) ?? 1) * (countValues(minute, 60) ?? 1) * (countValues(hour, 24) ?? 1) || 1;
}

export function isFrequent(runs: number): boolean {
  return runs > SINGLE_MAX;
}
