import { describe, expect, it } from "vitest";
import { neighbour } from "./menu-keys";

const names = ["Retry…", "Run again", "Cancel…"];

describe("neighbour", () => {
  it("wraps around with arrow keys", () => {
    expect(neighbour("ArrowDown", names, 2)).toBe(0);
    expect(neighbour("ArrowDown", names, -1)).toBe(0);
    expect(neighbour("ArrowUp", names, 0)).toBe(2);
    expect(neighbour("End", names, 0)).toBe(2);
  });

  it("moves to the next name that starts with a letter", () => {
    expect(neighbour("r", names, 0)).toBe(1);
    expect(neighbour("R", names, 1)).toBe(0);
    expect(neighbour("z", names, 1)).toBeUndefined();
  });

  it("ignores other keys", () => {
    expect(neighbour("Enter", names, 0)).toBeUndefined();
    expect(neighbour(" ", names, 0)).toBeUndefined();
    expect(neighbour("ArrowDown", [], -1)).toBeUndefined();
  });
});
