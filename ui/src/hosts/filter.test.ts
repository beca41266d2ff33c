import { describe, expect, it } from "vitest";
import { isFiltered, readFilter, readStatuses, requireLabel, toggleStatus } from "./filter";

describe("readFilter", () => {
  it("drops unknown values", () => {
    expect(
      readFilter({ status: "offline,nonsense,online", labels: " env=prod ", name: "", other: 1 }),
    ).toEqual({
      status: "online,offline",
      labels: "env=prod",
    });
  });

  it("accepts a numeric name", () => {
    expect(readFilter({ name: 42 })).toEqual({ name: "42" });
  });

  it("is idempotent", () => {
    const once = readFilter({ status: "asleep,degraded", name: "web-*", labels: "zone in (a,b)" });
    expect(readFilter({ ...once })).toEqual(once);
  });
});

describe("toggleStatus", () => {
  it("adds in list order and removes", () => {
    const one = toggleStatus({}, "offline");
    const two = toggleStatus(one, "online");
    expect(two.status).toBe("online,offline");
    expect(toggleStatus(toggleStatus(two, "online"), "offline")).toEqual({});
    expect(readStatuses(two.status)).toEqual(["online", "offline"]);
  });
});

describe("requireLabel", () => {
  it("adds a requirement once", () => {
    const filter = requireLabel({ labels: "env=prod" }, "gpu");
    expect(filter.labels).toBe("env=prod,gpu");
    expect(requireLabel(filter, "gpu")).toEqual(filter);
  });
});

it("isFiltered detects an empty filter", () => {
  expect(isFiltered({})).toBe(false);
  expect(isFiltered({ name: "x" })).toBe(true);
});
