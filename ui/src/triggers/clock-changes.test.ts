import { expect, it } from "vitest";
import { clockChanges } from "./clock-changes";

it("clockChanges finds the changes of one year", () => {
  const now = Date.parse("2026-11-16T12:00:00Z");
  const days = clockChanges("Europe/Berlin", now).map((at) => new Date(at).toISOString().slice(0, 10));
  expect(days).toEqual(["2027-03-27", "2027-10-30"]);
  expect(clockChanges("UTC", now)).toEqual([]);
});
