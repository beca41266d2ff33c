import { expect, it } from "vitest";
import type { Trigger } from "../api/model";
import { upcoming } from "./upcoming";

const trigger = (label: string, next_fire_at: string | null, is_enabled = true) =>
  ({ label, next_fire_at, is_enabled }) as Trigger;

it("keeps what fires within a day, next one first", () => {
  const now = Date.parse("2026-11-16T12:00:00Z");
  const found = upcoming(
    [
      trigger("evening", "2026-11-16T20:00:00Z"),
      trigger("soon", "2026-11-16T12:01:00Z"),
      trigger("off", "2026-11-16T12:02:00Z", false),
      trigger("event", null),
      trigger("next week", "2026-11-23T12:00:00Z"),
    ],
    now,
  );
  expect(found.map((each) => each.trigger.label)).toEqual(["soon", "evening"]);
});
