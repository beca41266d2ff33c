import { describe, expect, it } from "vitest";
import { readChoice, writeChoice } from "./bindings";
import { inTheWay, isTyping, KeyReader, USUAL_KEYS } from "./keys";

describe("KeyReader", () => {
  const read = (reader: KeyReader, key: string, now: number) => reader.read(key, now, USUAL_KEYS);

  it("reads single keys and chords", () => {
    const reader = new KeyReader();
    expect(read(reader, "/", 0)).toBe("filter");
    expect(read(reader, "g", 10)).toBeUndefined();
    expect(read(reader, "h", 20)).toBe("hosts");
    expect(read(reader, "h", 30)).toBeUndefined();
  });

  it("forgets the first key of a chord after a timeout", () => {
    const reader = new KeyReader();
    read(reader, "g", 0);
    expect(read(reader, "h", 5000)).toBeUndefined();
  });

  it("accepts a single key after an unknown chord", () => {
    const reader = new KeyReader();
    read(reader, "g", 0);
    expect(read(reader, "?", 10)).toBe("help");
  });

  it("uses custom shortcuts", () => {
    const own = { ...USUAL_KEYS, help: "h", hosts: "m m" };
    const reader = new KeyReader();
    expect(reader.read("?", 0, own)).toBeUndefined();
    expect(reader.read("h", 10, own)).toBe("help");
    reader.read("m", 20, own);
    expect(reader.read("m", 30, own)).toBe("hosts");
  });
});

describe("custom shortcuts", () => {
  it("conflict if equal or a prefix of another", () => {
    expect(inTheWay("help", "j", USUAL_KEYS)).toBe("next");
    expect(inTheWay("help", "g", USUAL_KEYS)).toBe("overview");
    expect(inTheWay("help", "j h", USUAL_KEYS)).toBe("next");
    expect(inTheWay("help", "?", USUAL_KEYS)).toBeUndefined();
    expect(inTheWay("help", "h", USUAL_KEYS)).toBeUndefined();
  });

  it("default shortcuts have no conflicts", () => {
    for (const [command, keys] of Object.entries(USUAL_KEYS)) {
      expect(inTheWay(command as keyof typeof USUAL_KEYS, keys, USUAL_KEYS), command).toBeUndefined();
    }
  });

  it("store only valid changes", () => {
    const own = { isOff: true, bindings: { ...USUAL_KEYS, help: "h" } };
    expect(writeChoice(own)).toBe('{"isOff":true,"keys":{"help":"h"}}');
    expect(readChoice(writeChoice(own))).toEqual(own);
    expect(readChoice('{"keys":{"help":7,"next":"too long","jobs":"z z"}}').bindings).toEqual({
      ...USUAL_KEYS,
      jobs: "z z",
    });
    expect(readChoice("nonsense").bindings).toEqual(USUAL_KEYS);
    expect(readChoice(null).isOff).toBe(false);
  });
});

describe("isTyping", () => {
  it("detects text fields", () => {
    expect(isTyping(document.createElement("input"))).toBe(true);
    expect(isTyping(document.createElement("button"))).toBe(false);
    expect(isTyping(null)).toBe(false);
  });
});
