import { expect, test } from "vitest";
import { DEFAULT_COLUMNS, readColumns, toggleColumn, writeColumns } from "./columns";

test("readColumns ignores unknown columns", () => {
  expect(readColumns("host,nonsense,source")).toEqual(["source", "host"]);
  expect(readColumns("nonsense")).toBeUndefined();
  expect(readColumns(undefined)).toBeUndefined();
  expect(readColumns("none")).toEqual([]);
});

test("toggling a column keeps the order of the list", () => {
  expect(toggleColumn(["source", "host"], "tries")).toEqual(["source", "tries", "host"]);
  expect(toggleColumn(["source", "host"], "source")).toEqual(["host"]);
  expect(readColumns(writeColumns(DEFAULT_COLUMNS))).toEqual(DEFAULT_COLUMNS);
  expect(readColumns(writeColumns([]))).toEqual([]);
});
