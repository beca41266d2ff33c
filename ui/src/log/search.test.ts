import { expect, it } from "vitest";
import type { LogLine } from "../api/model";
import { hitAfter, parsePattern, scanned, UNSCANNED } from "./search";

const line = (no: number, text: string, stream: LogLine["stream"] = "out"): LogLine => ({
  no,
  at: "2026-11-16T10:00:00Z",
  stream,
  text,
});

it("finds text case-insensitively and regexes as written", () => {
  expect(parsePattern("Reset")?.find("connection RESET by peer")).toEqual([[11, 16]]);
  expect(parsePattern("a.c")?.find("abc a.c")).toEqual([[4, 7]]);
  expect(parsePattern("/a.c/")?.find("abc a.c")).toEqual([
    [0, 3],
    [4, 7],
  ]);
  expect(parsePattern("/x*/")?.find("aaa")).toEqual([]);
  expect(parsePattern("/(/")).toBeNull();
  expect(parsePattern("  ")).toBeUndefined();
});

it("finds text across color codes", () => {
  expect(parsePattern("hello")?.find("\x1b[31mhel\x1b[0mlo")).toEqual([[0, 5]]);
});

it("collects matches and the lines of a stream", () => {
  const lines = [line(1, "start"), line(2, "error a", "err"), line(3, "error b"), line(4, "gap", "system")];
  const pattern = parsePattern("error") ?? undefined;
  expect(scanned(UNSCANNED, lines, { pattern, stream: undefined }, 4)).toMatchObject({
    scanned: 4,
    hits: [2, 3],
  });
  expect(scanned(UNSCANNED, lines, { pattern, stream: "err" }, 4)).toMatchObject({
    hits: [2],
    lineNumbers: [2, 4],
  });
});

it("hitAfter wraps around", () => {
  expect(hitAfter([3, 7], 3, 1)).toBe(7);
  expect(hitAfter([3, 7], 7, 1)).toBe(3);
  expect(hitAfter([3, 7], 3, -1)).toBe(7);
  expect(hitAfter([], 3, 1)).toBeUndefined();
});
