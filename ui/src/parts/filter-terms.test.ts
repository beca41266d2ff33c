import { expect, it } from "vitest";
import { readListFilter, termsOf } from "./filter-terms";

it("termsOf splits at spaces outside quotes", () => {
  expect(termsOf('status:failed  "disk full" def:"a b"')).toEqual([
    "status:failed",
    '"disk full"',
    'def:"a b"',
  ]);
  expect(termsOf(undefined)).toEqual([]);
});

it("readListFilter accepts numbers", () => {
  expect(readListFilter({ filter: 42 })).toEqual({ filter: "42" });
  expect(readListFilter({ filter: "  " })).toEqual({});
});
