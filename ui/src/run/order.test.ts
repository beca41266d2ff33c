import { expect, it } from "vitest";
import { inOrder } from "./order";

it("inOrder lists server actions last", () => {
  const keys = ["SERVER_START", "sleep", "hello"].map((key) => ({ key }));
  expect(inOrder(keys).map(({ key }) => key)).toEqual(["hello", "sleep", "SERVER_START"]);
});
