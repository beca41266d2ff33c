import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Batcher } from "./batcher";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("delivers the first item immediately and the rest in one batch", () => {
  const batches: number[][] = [];
  const gather = new Batcher<number>(250, (batch) => batches.push(batch));
  gather.add(1);
  expect(batches).toEqual([[1]]);
  gather.add(2);
  gather.add(3);
  vi.advanceTimersByTime(249);
  expect(batches).toEqual([[1]]);
  vi.advanceTimersByTime(1);
  expect(batches).toEqual([[1], [2, 3]]);
  vi.advanceTimersByTime(1000);
  gather.add(4);
  expect(batches.at(-1)).toEqual([4]);
});

it("drops pending items when stopped", () => {
  const give = vi.fn();
  const gather = new Batcher<number>(250, give);
  gather.add(1);
  gather.add(2);
  gather.stop();
  vi.advanceTimersByTime(1000);
  expect(give).toHaveBeenCalledTimes(1);
});
