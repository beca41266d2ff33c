// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { parseKeyChoice, serializeKeyChoice } from "./bindings";
import { conflictingCommand, DEFAULT_KEYS, isTyping, KeyReader } from "./keys";

describe("KeyReader", () => {
  const read = (reader: KeyReader, key: string, now: number) => reader.read(key, now, DEFAULT_KEYS);

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
    const own = { ...DEFAULT_KEYS, help: "h", hosts: "m m" };
    const reader = new KeyReader();
    expect(reader.read("?", 0, own)).toBeUndefined();
    expect(reader.read("h", 10, own)).toBe("help");
    reader.read("m", 20, own);
    expect(reader.read("m", 30, own)).toBe("hosts");
  });
});

describe("custom shortcuts", () => {
  it("conflict if equal or a prefix of another", () => {
    expect(conflictingCommand("help", "j", DEFAULT_KEYS)).toBe("next");
    expect(conflictingCommand("help", "g", DEFAULT_KEYS)).toBe("overview");
    expect(conflictingCommand("help", "j h", DEFAULT_KEYS)).toBe("next");
    expect(conflictingCommand("help", "?", DEFAULT_KEYS)).toBeUndefined();
    expect(conflictingCommand("help", "h", DEFAULT_KEYS)).toBeUndefined();
  });

  it("default shortcuts have no conflicts", () => {
    for (const [command, keys] of Object.entries(DEFAULT_KEYS)) {
      expect(
        conflictingCommand(command as keyof typeof DEFAULT_KEYS, keys, DEFAULT_KEYS),
        command,
      ).toBeUndefined();
    }
  });

  it("store only valid changes", () => {
    const own = { isOff: true, bindings: { ...DEFAULT_KEYS, help: "h" } };
    expect(serializeKeyChoice(own)).toBe('{"isOff":true,"keys":{"help":"h"}}');
    expect(parseKeyChoice(serializeKeyChoice(own))).toEqual(own);
    expect(parseKeyChoice('{"keys":{"help":7,"next":"too long","jobs":"z z"}}').bindings).toEqual({
      ...DEFAULT_KEYS,
      jobs: "z z",
    });
    expect(parseKeyChoice("nonsense").bindings).toEqual(DEFAULT_KEYS);
    expect(parseKeyChoice(null).isOff).toBe(false);
  });
});

describe("isTyping", () => {
  it("detects text fields", () => {
    expect(isTyping(document.createElement("input"))).toBe(true);
    expect(isTyping(document.createElement("button"))).toBe(false);
    expect(isTyping(null)).toBe(false);
  });
});
