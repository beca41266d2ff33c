import { expect, it } from "vitest";
import type { Trigger } from "../api/model";
import { upcoming } from "./upcoming";

const trigger = (
  label: string,
  next_fire_at: string | null,
  { is_enabled = true, cron_expr = "0 2 * * *" } = {},
) => ({ label, next_fire_at, is_enabled, cron_expr }) as Trigger;

const now = Date.parse("2026-11-16T12:00:00Z");

it("upcoming lists the runs of the next 24 hours, earliest first", () => {
  const { single } = upcoming(
    [
      trigger("evening", "2026-11-16T20:00:00Z"),
      trigger("soon", "2026-11-16T12:01:00Z"),
      trigger("off", "2026-11-16T12:02:00Z", { is_enabled: false }),
      trigger("event", null),
      trigger("next week", "2026-11-23T12:00:00Z"),
    ],
    now,
  );
  expect(single.map((each) => each.trigger.label)).toEqual(["soon", "evening"]);
});

it("upcoming lists frequent schedules separately, most frequent first", () => {
  const { single, frequent } = upcoming(
    [
      trigger("five", "2026-11-16T12:05:00Z", { cron_expr: "*/5 * * * *" }),
      trigger("minute", "2026-11-16T12:01:00Z", { cron_expr: "* * * * *" }),
      trigger("night", "2026-11-17T02:00:00Z"),
    ],
    now,
  );
  expect(single.map((each) => each.trigger.label)).toEqual(["night"]);
  expect(frequent.map(({ trigger: { label }, runs }) => [label, runs])).toEqual([
    ["minute", 1440],
    ["five", 288],
  ]);
});
