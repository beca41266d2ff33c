import { expect, it } from "vitest";
import { sortDefinitions } from "./sort-definitions";

it("sortDefinitions lists server actions last", () => {
  const keys = ["SERVER_START", "sleep", "hello"].map((key) => ({ key }));
  expect(sortDefinitions(keys).map(({ key }) => key)).toEqual(["hello", "sleep", "SERVER_START"]);
});
