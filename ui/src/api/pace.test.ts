import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Pace } from "./pace";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("asks at once after a quiet while, and once for all that happens together", () => {
  const ask = vi.fn();
  const pace = new Pace(ask);
  pace.happen();
  pace.happen();
  vi.advanceTimersByTime(0);
  expect(ask).toHaveBeenCalledTimes(1);
  // The next waits for a moment, and is not lost.
  pace.happen();
  vi.advanceTimersByTime(199);
  expect(ask).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(ask).toHaveBeenCalledTimes(2);
});

it("asks more seldom while much happens, and often again when it is over", () => {
  const ask = vi.fn();
  const pace = new Pace(ask);
  // A thousand events a second for ten seconds.
  for (let ms = 0; ms < 10_000; ms += 1) {
    pace.happen();
    vi.advanceTimersByTime(1);
  }
  expect(ask.mock.calls.length).toBeLessThan(12);
  vi.advanceTimersByTime(5000);
  ask.mockClear();
  pace.happen();
  vi.advanceTimersByTime(0);
  expect(ask).toHaveBeenCalledTimes(1);
  pace.happen();
  vi.advanceTimersByTime(200);
  expect(ask).toHaveBeenCalledTimes(2);
});

it("asks nothing after it was stopped", () => {
  const ask = vi.fn();
  const pace = new Pace(ask);
  pace.happen();
  pace.stop();
  vi.advanceTimersByTime(5000);
  expect(ask).not.toHaveBeenCalled();
});
