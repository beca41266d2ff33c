import { expect, test } from "vitest";
import { DAY_MS, planRuns, runsByDay } from "./calendar";

const FROM = Date.parse("2026-11-16T20:30:00Z");
const every = (ms: number, count: number) => Array.from({ length: count }, (_, n) => FROM + (n + 1) * ms);

test("planRuns counts a trigger that runs every minute", () => {
  const { single, frequent } = planRuns(
    [{ trigger: "ping", times: every(60_000, 100), isTruncated: true }],
    FROM,
    "day",
  );
  expect(single).toEqual([]);
  expect(frequent).toEqual([{ trigger: "ping", every: 60_000, count: 1440 }]);
});

test("planRuns lists single runs in order within the span", () => {
  const { single, frequent } = planRuns(
    [
      { trigger: "late", times: [FROM + 9 * 3_600_000, FROM + 2 * DAY_MS], isTruncated: true },
      { trigger: "soon", times: [FROM + 60_000], isTruncated: false },
    ],
    FROM,
    "day",
  );
  expect(frequent).toEqual([]);
  expect(single.map(({ trigger }) => trigger)).toEqual(["soon", "late"]);
});

test("planRuns estimates the count if not all runs are loaded", () => {
  const { frequent } = planRuns(
    [{ trigger: "q", times: every(900_000, 100), isTruncated: true }],
    FROM,
    "week",
  );
  expect(frequent[0]?.count).toBe(672);
});

test("runsByDay groups by local day and includes empty days", () => {
  const runs = [{ trigger: "a", at: Date.parse("2026-11-16T23:30:00Z") }];
  const days = runsByDay(runs, FROM, "week", "Europe/Berlin");
  expect(days).toHaveLength(8);
  expect(days[0]?.day).toBe("2026-11-16");
  expect(days[0]?.runs).toEqual([]);
  expect(days[1]?.runs).toHaveLength(1);
});
