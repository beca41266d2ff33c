import { expect, it } from "vitest";
import { completeJobFilter } from "./job-completion";
import { statusesOf, toggleStatus } from "./job-filter";

it("toggleStatus keeps the other terms", () => {
  expect(toggleStatus("host:db-2", "failed")).toBe("status:failed host:db-2");
  expect(toggleStatus("status:failed host:db-2", "running")).toBe("status:running,failed host:db-2");
  expect(toggleStatus("status:failed host:db-2", "failed")).toBe("host:db-2");
  expect(statusesOf("-status:failed")).toEqual([]);
});

it("completeJobFilter offers keys, then values, then further values", () => {
  const vocabulary = { definitions: ["sync-dropbox"], hosts: ["web-1", "db-2"] };
  expect(completeJobFilter("sta", 3, vocabulary)).toEqual({ from: 0, to: 3, values: ["status:"] });
  expect(completeJobFilter("-ho", 3, vocabulary)).toEqual({ from: 1, to: 3, values: ["host:"] });
  expect(completeJobFilter("after:-1h host:w", 16, vocabulary)).toEqual({
    from: 15,
    to: 16,
    values: ["web-1"],
  });
  expect(completeJobFilter("status:failed,ru", 16, vocabulary)).toEqual({
    from: 14,
    to: 16,
    values: ["running"],
  });
  expect(completeJobFilter("def:sync-dropbox", 16, vocabulary).values).toEqual([]);
});
