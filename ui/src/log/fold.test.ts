import { describe, expect, it } from "vitest";
import { type Fold, foldsOf, isJson, jsonRows, lineAt, rowCount, rowOf, toggleFold } from "./fold";

describe("jsonRows", () => {
  it("returns one row per value of an object or array", () => {
    expect(jsonRows('{"level":"info","at":[1,2]}')).toEqual([
      "{",
      '  "level": "info",',
      '  "at": [',
      "    1,",
      "    2",
      "  ]",
      "}",
    ]);
  });

  it("returns undefined for other lines", () => {
    for (const text of ["[info] started", "{}", "[]", "12", '"text"', "{not json}", "null"]) {
      expect(isJson(text), text).toBe(false);
    }
  });
});

describe("rows", () => {
  const folds: Fold[] = [
    { index: 2, rows: ["a", "b"] },
    { index: 5, rows: ["c"] },
  ];

  it("counts the rows of expanded lines", () => {
    expect(rowCount(10, folds)).toBe(13);
    expect(rowCount(10, [])).toBe(10);
  });

  it("maps lines to rows and rows to lines", () => {
    expect([0, 2, 3, 5, 6].map((index) => rowOf(index, folds))).toEqual([0, 2, 5, 7, 9]);
    expect([0, 2, 3, 4, 5, 7, 8, 9].map((row) => lineAt(row, folds))).toEqual([
      { index: 0 },
      { index: 2 },
      { index: 2, text: "a" },
      { index: 2, text: "b" },
      { index: 3 },
      { index: 5 },
      { index: 5, text: "c" },
      { index: 6 },
    ]);
  });

  it("uses the index among the shown lines", () => {
    const expanded = toggleFold(toggleFold(new Map(), 40, ["x"]), 7, ["y"]);
    expect(foldsOf(expanded, [7, 20, 40])).toEqual([
      { index: 0, rows: ["y"] },
      { index: 2, rows: ["x"] },
    ]);
    expect(foldsOf(toggleFold(expanded, 7, undefined), [7, 20])).toEqual([]);
  });
});
