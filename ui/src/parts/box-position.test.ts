import { describe, expect, it } from "vitest";
import { boxPosition } from "./box-position";

const view = { width: 400, height: 300 };
const button = (left: number, top: number) => ({ left, top, right: left + 60, bottom: top + 30 });

describe("boxPosition", () => {
  it("places the box below, aligned with its anchor", () => {
    expect(boxPosition(button(100, 20), { width: 120, height: 80 }, view, "start")).toMatchObject({
      left: 100,
      top: 54,
    });
    expect(boxPosition(button(100, 20), { width: 120, height: 80 }, view, "end").left).toBe(40);
    expect(boxPosition(button(100, 20), { width: 120, height: 80 }, view, "center").left).toBe(70);
  });

  it("stays inside the window", () => {
    expect(boxPosition(button(330, 20), { width: 120, height: 80 }, view, "start").left).toBe(272);
    expect(boxPosition(button(10, 20), { width: 120, height: 80 }, view, "end").left).toBe(8);
  });

  it("places the box above if there is more space, and limits its height", () => {
    const { top, maxHeight } = boxPosition(button(100, 200), { width: 120, height: 150 }, view, "start");
    expect(top).toBe(46);
    expect(maxHeight).toBe(188);
    expect(boxPosition(button(100, 200), { width: 120, height: 900 }, view, "start").top).toBe(8);
  });
});
