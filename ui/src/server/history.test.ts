import { expect, it } from "vitest";
import { moved, remembered } from "./history";

it("remembers what was sent, not twice in a row", () => {
  expect(remembered(["a"], "b")).toEqual(["a", "b"]);
  expect(remembered(["a", "b"], "b")).toEqual(["a", "b"]);
  expect(
    remembered(
      Array.from({ length: 100 }, (_, n) => `${n}`),
      "x",
    ),
  ).toHaveLength(100);
});

it("stays between the oldest line and the one being written", () => {
  expect(moved(2, -1, 2)).toBe(1);
  expect(moved(0, -1, 2)).toBe(0);
  expect(moved(2, 1, 2)).toBe(2);
});
