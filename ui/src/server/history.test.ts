import { expect, it } from "vitest";
import { moved, remembered } from "./history";

it("remembered skips consecutive duplicates", () => {
  expect(remembered(["a"], "b")).toEqual(["a", "b"]);
  expect(remembered(["a", "b"], "b")).toEqual(["a", "b"]);
  expect(
    remembered(
      Array.from({ length: 100 }, (_, n) => `${n}`),
      "x",
    ),
  ).toHaveLength(100);
});

it("moved stays inside the input history", () => {
  expect(moved(2, -1, 2)).toBe(1);
  expect(moved(0, -1, 2)).toBe(0);
  expect(moved(2, 1, 2)).toBe(2);
});
