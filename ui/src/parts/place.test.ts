import { describe, expect, it } from "vitest";
import { placed } from "./place";

const view = { width: 400, height: 300 };
const button = (left: number, top: number) => ({ left, top, right: left + 60, bottom: top + 30 });

describe("placed", () => {
  it("places the box below, aligned with its anchor", () => {
    expect(placed(button(100, 20), { width: 120, height: 80 }, view, "start")).toMatchObject({
      left: 100,
      top: 54,
    });
    expect(placed(button(100, 20), { width: 120, height: 80 }, view, "end").left).toBe(40);
    expect(placed(button(100, 20), { width: 120, height: 80 }, view, "center").left).toBe(70);
  });

  it("stays inside the window", () => {
    expect(placed(button(330, 20), { width: 120, height: 80 }, view, "start").left).toBe(272);
    expect(placed(button(10, 20), { width: 120, height: 80 }, view, "end").left).toBe(8);
  });

  it("places the box above if there is more space, and limits its height", () => {
    const { top, maxHeight } = placed(button(100, 200), { width: 120, height: 150 }, view, "start");
    expect(top).toBe(46);
    expect(maxHeight).toBe(188);
    expect(placed(button(100, 200), { width: 120, height: 900 }, view, "start").top).toBe(8);
  });
});
