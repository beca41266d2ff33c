import { expect, it } from "vitest";
import { countNew } from "./new-rows";

const rows = (...ids: string[]) => ids.map((id) => ({ id }));

it("countNew counts rows above the first shown row", () => {
  expect(countNew(rows("D", "C", "B", "A"), "B")).toBe(2);
  expect(countNew(rows("B", "A"), "B")).toBe(0);
  expect(countNew(rows("D", "C"), undefined)).toBe(0);
});

it("countNew handles a missing first row and only new rows", () => {
  expect(countNew(rows("D", "B"), "C")).toBe(1);
  expect(countNew(rows("F", "E"), "C")).toBe(2);
});
