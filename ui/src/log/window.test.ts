import { expect, it } from "vitest";
import { nextScroll, physicalPosition, type Scroll, spacerHeight, wrappedWindow } from "./window";

const short = { content: 20_000, view: 600 };
const long = { content: 20_000_000, view: 600 };

it("scroll position equals log position in logs that fit", () => {
  expect(spacerHeight(short)).toBe(20_000);
  expect(nextScroll({ physical: 0, virtual: 0 }, 500, short)).toEqual({ physical: 500, virtual: 500 });
  expect(physicalPosition(19_900, short)).toBe(19_400);
});

it("small scrolls are exact and large ones proportional in long logs", () => {
  expect(spacerHeight(long)).toBe(6_000_000);
  let at: Scroll = { physical: 3_000_000, virtual: 10_000_000 };
  at = nextScroll(at, 3_000_060, long);
  expect(at.virtual).toBe(10_000_060);
  at = nextScroll(at, 1_500_000, long);
  expect(at.virtual / long.content).toBeCloseTo(0.25, 3);
});

it("scrolling reaches both ends of the log", () => {
  const at = { physical: 300, virtual: 900 };
  expect(nextScroll(at, 0, long).virtual).toBe(0);
  expect(nextScroll(at, 6_000_000 - 600, long).virtual).toBe(20_000_000 - 600);
  expect(physicalPosition(20_000_000, long)).toBe(6_000_000 - 600);
});

it("wrappedWindow keeps a bounded number of rows", () => {
  expect(wrappedWindow(20, undefined)).toEqual({ first: 0, last: 20 });
  expect(wrappedWindow(5000, undefined)).toEqual({ first: 4000, last: 5000 });
  expect(wrappedWindow(5000, 2500)).toEqual({ first: 1500, last: 2500 });
  expect(wrappedWindow(5000, 3)).toEqual({ first: 0, last: 1000 });
  expect(wrappedWindow(5000, 9999)).toEqual({ first: 4000, last: 5000 });
});
