import { expect, it } from "vitest";
import { bestMatches, matchScore } from "./rank";

const go = (label: string) => ({ id: label, group: "go" as const, label });

it("matchScore prefers prefixes, then words, then substrings, then letters", () => {
  const items = ["my jobs", "xjobs", "jobs", "j-o-b-s"].map(go);
  expect(bestMatches(items, "jobs").map(({ label }) => label)).toEqual([
    "jobs",
    "my jobs",
    "xjobs",
    "j-o-b-s",
  ]);
  expect(matchScore("hosts", "zz")).toBe(0);
});

it("bestMatches keeps the order for an empty query and handles symbols", () => {
  expect(bestMatches(["b", "a"].map(go), "").map(({ label }) => label)).toEqual(["b", "a"]);
  expect(matchScore("a(b", "(b")).toBe(2);
});
