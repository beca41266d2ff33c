// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { nextTransport } from "./event-connection";
import { retryDelay } from "./live";

it("retryDelay is capped and at least half of the back-off", () => {
  expect(retryDelay(0, 0)).toBe(250);
  expect(retryDelay(0, 1)).toBe(500);
  expect(retryDelay(3, 1)).toBe(4000);
  expect(retryDelay(50, 1)).toBe(5000);
});

it("nextTransport tries a stream every second time if no socket has ever opened", () => {
  expect([0, 1, 2, 3].map((failures) => nextTransport(false, failures))).toEqual([
    "socket",
    "stream",
    "socket",
    "stream",
  ]);
  expect([0, 1, 2, 3].map((failures) => nextTransport(true, failures))).toEqual(Array(4).fill("socket"));
});
