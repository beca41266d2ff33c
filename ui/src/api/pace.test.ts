import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Pace } from "./pace";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("refetches immediately after a quiet period, once per burst", () => {
  const ask = vi.fn();
  const pace = new Pace(ask);
  pace.happen();
  pace.happen();
  vi.advanceTimersByTime(0);
  expect(ask).toHaveBeenCalledTimes(1);
  // The next event waits for the pause and is not lost.
  pace.happen();
  vi.advanceTimersByTime(199);
  expect(ask).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(ask).toHaveBeenCalledTimes(2);
});

it("refetches less often under load and recovers", () => {
  const ask = vi.fn();
  const pace = new Pace(ask);
  // 1,000 events per second for 10 seconds.
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

it("does not refetch after stop", () => {
  const ask = vi.fn();
  const pace = new Pace(ask);
  pace.happen();
  pace.stop();
  vi.advanceTimersByTime(5000);
  expect(ask).not.toHaveBeenCalled();
});
