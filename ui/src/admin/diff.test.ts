import { expect, it } from "vitest";
import { changesOf, summary } from "./diff";

it("changesOf parses changes and plain values", () => {
  const changes = changesOf({
    always_on: [true, false],
    note: [null, "new disk"],
    until: ["2026-11-15T12:00:00Z", null],
    role: "viewer",
    labels: [{ env: "dev" }, { env: "prod", gpu: "", cores: 2, zone: null }],
  });
  expect(changes).toEqual([
    { field: "always_on", before: "true", after: "false" },
    { field: "note", after: "new disk" },
    { field: "until", before: "2026-11-15T12:00:00Z", after: "–" },
    { field: "role", after: "viewer" },
    { field: "labels", before: "env=dev", after: "env=prod gpu cores=2" },
  ]);
  expect(summary(changes.slice(0, 2))).toBe("always_on true → false, note new disk");
});

it("changesOf returns no changes for other input", () => {
  expect(changesOf({ labels: [null, {}] })).toEqual([]);
  expect(changesOf(null)).toEqual([]);
  expect(changesOf([1, 2])).toEqual([]);
  expect(changesOf("text")).toEqual([]);
});
