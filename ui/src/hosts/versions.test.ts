import { expect, it } from "vitest";
import { compareVersions, isOlder, newestVersion } from "./versions";

it("compareVersions compares numerically", () => {
  expect(compareVersions("0.4.10", "0.4.9")).toBeGreaterThan(0);
  expect(compareVersions("1.0", "1.0.0")).toBe(0);
});

it("newestVersion finds the newest version", () => {
  expect(newestVersion(["0.3.9", "0.10.0", "0.4.1"])).toBe("0.10.0");
  expect(newestVersion([])).toBeUndefined();
});

it("isOlder reports which runner needs an update", () => {
  expect(isOlder("0.3.9", "0.4.1")).toBe(true);
  expect(isOlder("0.4.1", "0.4.1")).toBe(false);
  expect(isOlder(null, "0.4.1")).toBe(false);
});
