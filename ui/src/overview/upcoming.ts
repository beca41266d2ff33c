import type { Trigger } from "../api/model";

const DAY_MS = 86_400_000;

export interface Upcoming {
  trigger: Trigger;
  at: number;
}

/** Schedules that fire within a day, the next one first. Each is there once, however often it fires. */
export function upcoming(triggers: Trigger[], now: number): Upcoming[] {
  return triggers
    .filter(({ is_enabled, next_fire_at }) => is_enabled && next_fire_at)
    .map((trigger) => ({ trigger, at: Date.parse(trigger.next_fire_at ?? "") }))
    .filter(({ at }) => at <= now + DAY_MS)
    .toSorted((a, b) => a.at - b.at);
}
