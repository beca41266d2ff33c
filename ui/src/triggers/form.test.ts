import { expect, it } from "vitest";
import { blankForm, isComplete, requestOf } from "./form";

const schedule = { ...blankForm("Europe/Berlin"), label: " nightly ", definition: "backup" };

it("requestOf sends only the fields of the trigger type", () => {
  expect(requestOf(schedule, { a: 1 }, "UTC")).toMatchObject({
    label: "nightly",
    cron_expr: "0 2 * * *",
    timezone: "Europe/Berlin",
    payload_template: { a: 1 },
    starts_at: null,
  });
  const rule = requestOf({ ...schedule, kind: "event", eventName: "folder.changed" }, {}, "UTC");
  expect(rule).not.toHaveProperty("cron_expr");
  expect(rule).toMatchObject({ event_name: "folder.changed", match: {}, dedupe_window_seconds: 300 });
});

it("requestOf sends the fan-out to each matching host", () => {
  const target = { kind: "selector", host: "", selector: "env=prod" } as const;
  expect(requestOf({ ...schedule, target, spread: "each" }, {}, "UTC").target).toEqual({
    selector: "env=prod",
    spread: "each",
  });
});

it("isComplete detects missing fields", () => {
  expect(isComplete(schedule)).toBe(true);
  expect(isComplete({ ...schedule, kind: "event" })).toBe(false);
  expect(isComplete({ ...schedule, label: "  " })).toBe(false);
});
