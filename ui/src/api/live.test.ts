import { expect, it } from "vitest";
import { retryDelay } from "./live";
import { nextKind } from "./live-line";

it("backs off to a bound, with at least half of it", () => {
  expect(retryDelay(0, 0)).toBe(250);
  expect(retryDelay(0, 1)).toBe(500);
  expect(retryDelay(3, 1)).toBe(4000);
  expect(retryDelay(50, 1)).toBe(5000);
});

it("tries a stream only where no socket ever opened, and then every second time", () => {
  expect([0, 1, 2, 3].map((failures) => nextKind(false, failures))).toEqual([
    "socket",
    "stream",
    "socket",
    "stream",
  ]);
  expect([0, 1, 2, 3].map((failures) => nextKind(true, failures))).toEqual(Array(4).fill("socket"));
});
