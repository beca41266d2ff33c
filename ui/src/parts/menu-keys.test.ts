import { describe, expect, it } from "vitest";
import { neighbour } from "./menu-keys";

const names = ["Retry…", "Run again", "Cancel…"];

describe("neighbour", () => {
  it("goes round by arrows", () => {
    expect(neighbour("ArrowDown", names, 2)).toBe(0);
    expect(neighbour("ArrowDown", names, -1)).toBe(0);
    expect(neighbour("ArrowUp", names, 0)).toBe(2);
    expect(neighbour("End", names, 0)).toBe(2);
  });

  it("goes to the next name that begins with a letter", () => {
    expect(neighbour("r", names, 0)).toBe(1);
    expect(neighbour("R", names, 1)).toBe(0);
    expect(neighbour("z", names, 1)).toBeUndefined();
  });

  it("leaves other keys alone", () => {
    expect(neighbour("Enter", names, 0)).toBeUndefined();
    expect(neighbour(" ", names, 0)).toBeUndefined();
    expect(neighbour("ArrowDown", [], -1)).toBeUndefined();
  });
});
