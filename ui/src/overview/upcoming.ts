import type { Trigger } from "../api/model";
import { isFrequent, runsPerDay } from "./runs-per-day";

const DAY_MS = 86_400_000;

export interface Upcoming {
  trigger: Trigger;
  at: number;
  /** Runs per day. */
  runs: number;
  isFrequent: boolean;
}

/** Schedules that run within 24 hours, earliest first; frequent ones are listed separately. */
export function upcoming(triggers: Trigger[], now: number): { single: Upcoming[]; frequent: Upcoming[] } {
  const rows = triggers
    .filter(({ is_enabled, next_fire_at }) => is_enabled && next_fire_at)
    .map((trigger) => {
      const runs = runsPerDay(trigger.cron_expr);
      return { trigger, at: Date.parse(trigger.next_fire_at ?? ""), runs, isFrequent: isFrequent(runs) };
    })
    .filter(({ at }) => at <= now + DAY_MS);
  return {
    single: rows.filter((row) => !row.isFrequent).toSorted((a, b) => a.at - b.at),
    frequent: rows.filter((row) => row.isFrequent).toSorted((a, b) => b.runs - a.runs),
  };
}
