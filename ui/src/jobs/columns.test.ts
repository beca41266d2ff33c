import { expect, test } from "vitest";
import { readColumns, toggleColumn, USUAL_COLUMNS, writeColumns } from "./columns";

test("readColumns ignores unknown columns", () => {
  expect(readColumns("host,nonsense,source")).toEqual(["source", "host"]);
  expect(readColumns("nonsense")).toBeUndefined();
  expect(readColumns(undefined)).toBeUndefined();
  expect(readColumns("none")).toEqual([]);
});

test("toggling a column keeps the order of the list", () => {
  expect(toggleColumn(["source", "host"], "tries")).toEqual(["source", "tries", "host"]);
  expect(toggleColumn(["source", "host"], "source")).toEqual(["host"]);
  expect(readColumns(writeColumns(USUAL_COLUMNS))).toEqual(USUAL_COLUMNS);
  expect(readColumns(writeColumns([]))).toEqual([]);
});
