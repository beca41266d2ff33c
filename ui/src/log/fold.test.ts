import { describe, expect, it } from "vitest";
import { type Fold, foldsOf, isJson, jsonRows, lineAt, rowCount, rowOf, toggled } from "./fold";

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
    { place: 2, rows: ["a", "b"] },
    { place: 5, rows: ["c"] },
  ];

  it("counts the rows of expanded lines", () => {
    expect(rowCount(10, folds)).toBe(13);
    expect(rowCount(10, [])).toBe(10);
  });

  it("maps lines to rows and rows to lines", () => {
    expect([0, 2, 3, 5, 6].map((place) => rowOf(place, folds))).toEqual([0, 2, 5, 7, 9]);
    expect([0, 2, 3, 4, 5, 7, 8, 9].map((row) => lineAt(row, folds))).toEqual([
      { place: 0 },
      { place: 2 },
      { place: 2, text: "a" },
      { place: 2, text: "b" },
      { place: 3 },
      { place: 5 },
      { place: 5, text: "c" },
      { place: 6 },
    ]);
  });

  it("uses the index among the shown lines", () => {
    const unfolded = toggled(toggled(new Map(), 40, ["x"]), 7, ["y"]);
    expect(foldsOf(unfolded, [7, 20, 40])).toEqual([
      { place: 0, rows: ["y"] },
      { place: 2, rows: ["x"] },
    ]);
    expect(foldsOf(toggled(unfolded, 7, undefined), [7, 20])).toEqual([]);
  });
});
