import { expect, it } from "vitest";
import { toggled } from "./useSelection";

const order = ["a", "b", "c", "d"];
const list = (set: ReadonlySet<string>) => [...set].sort().join("");

it("toggled changes one row, or a range in either direction", () => {
  expect(list(toggled(new Set(), order, "b", undefined))).toBe("b");
  expect(list(toggled(new Set(["b"]), order, "b", undefined))).toBe("");
  expect(list(toggled(new Set(["b"]), order, "d", "b"))).toBe("bcd");
  expect(list(toggled(new Set(["d"]), order, "b", "d"))).toBe("bcd");
  expect(list(toggled(new Set(), order, "b", "gone"))).toBe("b");
});
