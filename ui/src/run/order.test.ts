import { expect, it } from "vitest";
import { inOrder } from "./order";

it("puts the acts of servers behind what people run", () => {
  const keys = ["SERVER_START", "sleep", "hello"].map((key) => ({ key }));
  expect(inOrder(keys).map(({ key }) => key)).toEqual(["hello", "sleep", "SERVER_START"]);
});
