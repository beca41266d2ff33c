import { expect, it } from "vitest";
import { instantOf, localTimeOf } from "./local";

it("instantOf converts local times in summer and winter", () => {
  expect(instantOf("2026-11-16T09:30", "Europe/Berlin")).toBe("2026-11-16T08:30:00.000Z");
  expect(instantOf("2026-07-16T09:30", "Europe/Berlin")).toBe("2026-07-16T07:30:00.000Z");
  expect(instantOf("2026-07-16T09:30", "UTC")).toBe("2026-07-16T09:30:00.000Z");
  expect(instantOf("2026-11-16T09:30", "Asia/Kathmandu")).toBe("2026-11-16T03:45:00.000Z");
});

it("localTimeOf converts back to local times", () => {
  expect(localTimeOf(Date.parse("2026-07-16T07:30:00Z"), "Europe/Berlin")).toBe("2026-07-16T09:30");
  expect(instantOf(localTimeOf(Date.parse("2027-03-28T00:59:00Z"), "Europe/Berlin"), "Europe/Berlin")).toBe(
    "2027-03-28T00:59:00.000Z",
  );
});
