import { describe, expect, it } from "vitest";
import { labelChanges, parseLabels, writeLabels } from "./labels";

describe("parseLabels", () => {
  it("reads pairs and bare keys, with any spacing", () => {
    expect(parseLabels(" env=prod , gpu,zone = a\n")).toEqual({
      labels: { env: "prod", gpu: "", zone: "a" },
    });
    expect(parseLabels("")).toEqual({ labels: {} });
  });

  it.each(["-env=prod", "env=-prod", "env=a b", "en v=1", "=prod", `${"k".repeat(64)}=1`, "a=1,a=2"])(
    "refuses %s",
    (written) => {
      expect(parseLabels(written).problem).toBeTruthy();
    },
  );

  it("rejects too many labels", () => {
    const many = Array.from({ length: 65 }, (_, i) => `k${i}=v`).join(",");
    expect(parseLabels(many).problem).toBeTruthy();
  });

  it("parses formatted labels", () => {
    const labels = { "team/role": "db", gpu: "", env: "prod" };
    expect(parseLabels(writeLabels(labels))).toEqual({ labels });
  });
});

describe("labelChanges", () => {
  it("sets, changes and removes labels", () => {
    expect(labelChanges({ a: "1", b: "2", c: "3" }, { a: "1", b: "9", d: "4" })).toEqual({
      b: "9",
      c: null,
      d: "4",
    });
  });

  it("is empty when nothing changed", () => {
    expect(labelChanges({ a: "1" }, { a: "1" })).toEqual({});
  });
});
