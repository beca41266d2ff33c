import { expect, it } from "vitest";
import { isFrequent, runsPerDay } from "./runs-per-day";

it.each([
  ["* * * * *", 1440],
  ["*/5 * * * *", 288],
  ["0 2 * * *", 1],
  ["0,30 8-17 * * 1-5", 20],
  ["5/15 * * * *", 96],
  ["*/30 0 2 * * *", 2],
  ["@hourly", 24],
  ["@every 15m", 96],
  ["H H(1-5) * * *", 1],
  [null, 1],
])("%s fires %d times a day", (cron, times) => {
  expect(runsPerDay(cron)).toBe(times);
});

it("runsPerDay counts the runs of a cron expression", () => {
  expect(isFrequent(288)).toBe(true);
  expect(isFrequent(2)).toBe(false);
});
