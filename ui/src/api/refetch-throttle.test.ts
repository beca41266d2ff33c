import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RefetchThrottle } from "./refetch-throttle";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("refetches immediately after a quiet period, once per burst", () => {
  const refetch = vi.fn();
  const throttle = new RefetchThrottle(refetch);
  throttle.trigger();
  throttle.trigger();
  vi.advanceTimersByTime(0);
  expect(refetch).toHaveBeenCalledTimes(1);
  // The next event waits for the pause and is not lost.
  throttle.trigger();
  vi.advanceTimersByTime(199);
  expect(refetch).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(refetch).toHaveBeenCalledTimes(2);
});

it("refetches less often under load and recovers", () => {
  const refetch = vi.fn();
  const throttle = new RefetchThrottle(refetch);
  // 1,000 events per second for 10 seconds.
  for (let ms = 0; ms < 10_000; ms += 1) {
    throttle.trigger();
    vi.advanceTimersByTime(1);
  }
  expect(refetch.mock.calls.length).toBeLessThan(12);
  vi.advanceTimersByTime(5000);
  refetch.mockClear();
  throttle.trigger();
  vi.advanceTimersByTime(0);
  expect(refetch).toHaveBeenCalledTimes(1);
  throttle.trigger();
  vi.advanceTimersByTime(200);
  expect(refetch).toHaveBeenCalledTimes(2);
});

it("does not refetch after stop", () => {
  const refetch = vi.fn();
  const throttle = new RefetchThrottle(refetch);
  throttle.trigger();
  throttle.stop();
  vi.advanceTimersByTime(5000);
  expect(refetch).not.toHaveBeenCalled();
});
