import { expect, it } from "vitest";
import { chunkIds } from "./chunk-ids";

it("chunkIds keeps each filter below the size limit of the hub", () => {
  const ids = Array.from({ length: 130 }, (_, n) => `01M7H9SV1XAPE9CM5BAQ28${String(n).padStart(4, "0")}`);
  const filters = chunkIds(ids);
  expect(filters).toHaveLength(3);
  expect(Math.max(...filters.map((filter) => filter.length))).toBeLessThan(2048);
  expect(filters.join(",").match(/01M7/g)).toHaveLength(130);
});
