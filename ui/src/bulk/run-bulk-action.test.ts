import { expect, test } from "vitest";
import { runBulkAction } from "./run-bulk-action";

test("runBulkAction continues after a failure and reports it", async () => {
  const seen: string[] = [];
  const { done, failures } = await runBulkAction(
    ["a", "b", "c"].map((id) => ({ id, name: id.toUpperCase() })),
    async (id) => {
      seen.push(id);
      if (id === "b") throw new Error("gone");
    },
  );
  expect(seen).toEqual(["a", "b", "c"]);
  expect(done).toBe(2);
  expect(failures).toEqual([{ subject: { id: "b", name: "B" }, why: "gone" }]);
});
