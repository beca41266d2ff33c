import { expect, it } from "vitest";
import { remaining } from "./remaining";

it("remaining extrapolates from progress and time", () => {
  expect(remaining(50, 60_000)).toBe(60_000);
  expect(remaining(25, 60_000)).toBe(180_000);
});

it("remaining is undefined at the start and at the end", () => {
  expect(remaining(1, 60_000)).toBeUndefined();
  expect(remaining(50, 1000)).toBeUndefined();
  expect(remaining(100, 60_000)).toBeUndefined();
  expect(remaining(50, undefined)).toBeUndefined();
});
