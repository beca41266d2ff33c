import { expect, it } from "vitest";
import { retryDelay } from "./live";

it("backs off to a bound, with at least half of it", () => {
  expect(retryDelay(0, 0)).toBe(250);
  expect(retryDelay(0, 1)).toBe(500);
  expect(retryDelay(3, 1)).toBe(4000);
  expect(retryDelay(50, 1)).toBe(5000);
});
