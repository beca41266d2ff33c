import { expect, it } from "vitest";
import { cronOf, DAILY, simpleOf } from "./simple";

it("cronOf and simpleOf are inverse", () => {
  for (const cron of ["*/15 * * * *", "5 * * * *", "30 2 * * *", "0 9 * * 1,3,5", "0 0 15 * *"]) {
    const simple = simpleOf(cron);
    expect(simple && cronOf(simple), cron).toBe(cron);
  }
  expect(cronOf({ ...DAILY, interval: "week", weekdays: [5, 1] })).toBe("0 2 * * 1,5");
});

it("simpleOf is undefined for complex expressions", () => {
  for (const cron of [
    "0 0 L * *",
    "@every 15m",
    "0 2 * 6 *",
    "0 2 13 * 5",
    "30 0 2 * * *",
    "H H * * *",
    "",
  ]) {
    expect(simpleOf(cron), cron).toBeUndefined();
  }
  expect(simpleOf("@daily")).toMatchObject({ interval: "day", at: "00:00" });
});
