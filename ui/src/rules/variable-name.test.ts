import { expect, test } from "vitest";
import { isVariableName } from "./variable-name";

test("isVariableName accepts valid variable names only", () => {
  expect(["TOKEN", "_x", "a1"].every(isVariableName)).toBe(true);
  expect(["", "1A", "A-B", "A B", "Ä"].some(isVariableName)).toBe(false);
});
