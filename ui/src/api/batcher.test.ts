import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Batcher } from "./batcher";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("delivers the first item immediately and the rest in one batch", () => {
  const batches: number[][] = [];
  const batcher = new Batcher<number>(250, (batch) => batches.push(batch));
  batcher.add(1);
  expect(batches).toEqual([[1]]);
  batcher.add(2);
  batcher.add(3);
  vi.advanceTimersByTime(249);
  expect(batches).toEqual([[1]]);
  vi.advanceTimersByTime(1);
  expect(batches).toEqual([[1], [2, 3]]);
  vi.advanceTimersByTime(1000);
  batcher.add(4);
  expect(batches.at(-1)).toEqual([4]);
});

it("drops pending items when stopped", () => {
  const deliver = vi.fn();
  const batcher = new Batcher<number>(250, deliver);
  batcher.add(1);
  batcher.add(2);
  batcher.stop();
  vi.advanceTimersByTime(1000);
  expect(deliver).toHaveBeenCalledTimes(1);
});
