import { expect, test } from "vitest";
import { queryOf, searchOf } from "./query";

test("a view keeps what is looked at, not who looks", () => {
  expect(queryOf({ org: "acme", tz: "utc", filter: "status:failed", host: "web-1" })).toBe(
    "filter=status%3Afailed&host=web-1",
  );
  expect(queryOf({})).toBe("");
});

test("a view is shown to who looks now, and gives up a host it does not name", () => {
  expect(searchOf("filter=status%3Afailed&org=other", { org: "acme", host: "nas" })).toEqual({
    filter: "status:failed",
    host: undefined,
    org: "acme",
  });
});
