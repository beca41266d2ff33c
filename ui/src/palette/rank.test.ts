import { expect, it } from "vitest";
import { best, fitness } from "./rank";

const go = (label: string) => ({ id: label, group: "go" as const, label });

it("fitness prefers prefixes, then words, then substrings, then letters", () => {
  const items = ["my jobs", "xjobs", "jobs", "j-o-b-s"].map(go);
  expect(best(items, "jobs").map(({ label }) => label)).toEqual(["jobs", "my jobs", "xjobs", "j-o-b-s"]);
  expect(fitness("hosts", "zz")).toBe(0);
});

it("best keeps the order for an empty query and handles symbols", () => {
  expect(best(["b", "a"].map(go), "").map(({ label }) => label)).toEqual(["b", "a"]);
  expect(fitness("a(b", "(b")).toBe(2);
});
