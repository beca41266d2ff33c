import { expect, test } from "vitest";
import { queryOf, searchOf } from "./query";

test("queryOf stores the filter, not the viewer's parameters", () => {
  expect(queryOf({ org: "acme", tz: "utc", filter: "status:failed", host: "web-1" })).toBe(
    "filter=status%3Afailed&host=web-1",
  );
  expect(queryOf({})).toBe("");
});

test("searchOf keeps the viewer's parameters and clears the host", () => {
  expect(searchOf("filter=status%3Afailed&org=other", { org: "acme", host: "nas" })).toEqual({
    filter: "status:failed",
    host: undefined,
    org: "acme",
  });
});
