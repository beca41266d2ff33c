import { describe, expect, it } from "vitest";
import { nextItem } from "./menu-keys";

const names = ["Retry…", "Run a copy…", "Cancel…"];

describe("nextItem", () => {
  it("wraps around with arrow keys", () => {
    expect(nextItem("ArrowDown", names, 2)).toBe(0);
    expect(nextItem("ArrowDown", names, -1)).toBe(0);
    expect(nextItem("ArrowUp", names, 0)).toBe(2);
    expect(nextItem("End", names, 0)).toBe(2);
  });

  it("moves to the next name that starts with a letter", () => {
    expect(nextItem("r", names, 0)).toBe(1);
    expect(nextItem("R", names, 1)).toBe(0);
    expect(nextItem("z", names, 1)).toBeUndefined();
  });

  it("ignores other keys", () => {
    expect(nextItem("Enter", names, 0)).toBeUndefined();
    expect(nextItem(" ", names, 0)).toBeUndefined();
    expect(nextItem("ArrowDown", [], -1)).toBeUndefined();
  });
});
