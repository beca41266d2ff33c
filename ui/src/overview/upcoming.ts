import type { Trigger } from "../api/model";
import { isOften, timesPerDay } from "./often";

const DAY_MS = 86_400_000;

export interface Upcoming {
  trigger: Trigger;
  at: number;
  /** Runs per day. */
  times: number;
  isOften: boolean;
}

/** Schedules that run within 24 hours, earliest first; frequent ones are listed separately. */
export function upcoming(triggers: Trigger[], now: number): { single: Upcoming[]; often: Upcoming[] } {
  const rows = triggers
    .filter(({ is_enabled, next_fire_at }) => is_enabled && next_fire_at)
    .map((trigger) => {
      const times = timesPerDay(trigger.cron_expr);
      return { trigger, at: Date.parse(trigger.next_fire_at ?? ""), times, isOften: isOften(times) };
    })
    .filter(({ at }) => at <= now + DAY_MS);
  return {
    single: rows.filter((row) => !row.isOften).toSorted((a, b) => a.at - b.at),
    often: rows.filter((row) => row.isOften).toSorted((a, b) => b.times - a.times),
  };
}
