import { expect, it } from "vitest";
import { addToHistory, nextHistoryIndex } from "./input-history";

it("addToHistory skips consecutive duplicates", () => {
  expect(addToHistory(["a"], "b")).toEqual(["a", "b"]);
  expect(addToHistory(["a", "b"], "b")).toEqual(["a", "b"]);
  expect(
    addToHistory(
      Array.from({ length: 100 }, (_, n) => `${n}`),
      "x",
    ),
  ).toHaveLength(100);
});

it("nextHistoryIndex stays inside the input history", () => {
  expect(nextHistoryIndex(2, -1, 2)).toBe(1);
  expect(nextHistoryIndex(0, -1, 2)).toBe(0);
  expect(nextHistoryIndex(2, 1, 2)).toBe(2);
});
