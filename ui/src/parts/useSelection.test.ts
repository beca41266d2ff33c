import { expect, it } from "vitest";
import { toggleRows } from "./useSelection";

const order = ["a", "b", "c", "d"];
const list = (set: ReadonlySet<string>) => [...set].sort().join("");

it("toggleRows changes one row, or a range in either direction", () => {
  expect(list(toggleRows(new Set(), order, "b", undefined))).toBe("b");
  expect(list(toggleRows(new Set(["b"]), order, "b", undefined))).toBe("");
  expect(list(toggleRows(new Set(["b"]), order, "d", "b"))).toBe("bcd");
  expect(list(toggleRows(new Set(["d"]), order, "b", "d"))).toBe("bcd");
  expect(list(toggleRows(new Set(), order, "b", "gone"))).toBe("b");
});
