import { expect, it } from "vitest";
import { statusesOf, toggleStatus } from "./job-filter";
import { complete } from "./job-words";

it("toggleStatus keeps the other terms", () => {
  expect(toggleStatus("host:db-2", "failed")).toBe("status:failed host:db-2");
  expect(toggleStatus("status:failed host:db-2", "running")).toBe("status:running,failed host:db-2");
  expect(toggleStatus("status:failed host:db-2", "failed")).toBe("host:db-2");
  expect(statusesOf("-status:failed")).toEqual([]);
});

it("complete offers keys, then values, then further values", () => {
  const known = { definitions: ["sync-dropbox"], hosts: ["web-1", "db-2"] };
  expect(complete("sta", 3, known)).toEqual({ from: 0, to: 3, words: ["status:"] });
  expect(complete("-ho", 3, known)).toEqual({ from: 1, to: 3, words: ["host:"] });
  expect(complete("after:-1h host:w", 16, known)).toEqual({ from: 15, to: 16, words: ["web-1"] });
  expect(complete("status:failed,ru", 16, known)).toEqual({ from: 14, to: 16, words: ["running"] });
  expect(complete("def:sync-dropbox", 16, known).words).toEqual([]);
});
