import { describe, expect, it } from "vitest";
import { isTyping, KeyReader } from "./keys";

describe("KeyReader", () => {
  it("reads single keys and chords", () => {
    const reader = new KeyReader();
    expect(reader.read("/", 0)).toBe("filter");
    expect(reader.read("g", 10)).toBeUndefined();
    expect(reader.read("h", 20)).toBe("hosts");
    expect(reader.read("h", 30)).toBeUndefined();
  });

  it("forgets a chord begun long ago", () => {
    const reader = new KeyReader();
    reader.read("g", 0);
    expect(reader.read("h", 5000)).toBeUndefined();
  });

  it("takes a single key after a chord that went nowhere", () => {
    const reader = new KeyReader();
    reader.read("g", 0);
    expect(reader.read("?", 10)).toBe("help");
  });
});

describe("isTyping", () => {
  it("knows fields", () => {
    expect(isTyping(document.createElement("input"))).toBe(true);
    expect(isTyping(document.createElement("button"))).toBe(false);
    expect(isTyping(null)).toBe(false);
  });
});
