import { expect, it } from "vitest";
import { changesOf, summary } from "./diff";

it("reads changes and plain values", () => {
  const changes = changesOf({
    always_on: { from: true, to: false },
    name: ["web-1", "web-2"],
    role: "viewer",
    limits: { max: 2 },
  });
  expect(changes).toEqual([
    { field: "always_on", before: "true", after: "false" },
    { field: "name", before: "web-1", after: "web-2" },
    { field: "role", after: "viewer" },
    { field: "limits", after: '{"max":2}' },
  ]);
  expect(summary(changes)).toBe('always_on true → false, name web-1 → web-2, role viewer, limits {"max":2}');
});

it("takes what is no diff for no change", () => {
  expect(changesOf(null)).toEqual([]);
  expect(changesOf([1, 2])).toEqual([]);
  expect(changesOf("text")).toEqual([]);
});
