import { expect, it } from "vitest";
import { readListFilter, termsOf } from "./filter-terms";

it("parts terms by spaces, not inside quotes", () => {
  expect(termsOf('status:failed  "disk full" def:"a b"')).toEqual([
    "status:failed",
    '"disk full"',
    'def:"a b"',
  ]);
  expect(termsOf(undefined)).toEqual([]);
});

it("reads numbers of addresses as words", () => {
  expect(readListFilter({ filter: 42 })).toEqual({ filter: "42" });
  expect(readListFilter({ filter: "  " })).toEqual({});
});
