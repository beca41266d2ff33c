import { expect, it } from "vitest";
import { remainingTime } from "./remaining";

it("remainingTime extrapolates from progress and time", () => {
  expect(remainingTime(50, 60_000)).toBe(60_000);
  expect(remainingTime(25, 60_000)).toBe(180_000);
});

it("remainingTime is undefined at the start and at the end", () => {
  expect(remainingTime(1, 60_000)).toBeUndefined();
  expect(remainingTime(50, 1000)).toBeUndefined();
  expect(remainingTime(100, 60_000)).toBeUndefined();
  expect(remainingTime(50, undefined)).toBeUndefined();
});
