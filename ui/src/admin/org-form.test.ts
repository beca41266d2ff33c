import { describe, expect, it } from "vitest";
import type { Org } from "../api/model";
import { daysOf, patchOf, retentionOf, retentionOfDays } from "./org-form";

const org: Org = {
  id: "o",
  slug: "acme",
  name: "Acme",
  timezone: "UTC",
  offline_after_seconds: 90,
  alert_after_seconds: 900,
  keep_failed_seconds: 604_800,
  created_at: "",
  updated_at: "",
};

describe("organization settings", () => {
  it("sends only changed fields", () => {
    expect(patchOf(org, org)).toEqual({});
    expect(patchOf(org, { ...org, name: " Acme ", keep_succeeded_seconds: null })).toEqual({});
    const after = { ...org, name: "Acme Ltd", alert_after_seconds: 60, ...retentionOfDays("canceled", 2) };
    expect(patchOf(org, after)).toEqual({
      name: "Acme Ltd",
      alert_after_seconds: 60,
      keep_canceled_seconds: 172_800,
    });
  });

  it("sends null for an emptied field", () => {
    expect(patchOf(org, { ...org, ...retentionOfDays("failed", "") })).toEqual({ keep_failed_seconds: null });
  });

  it("shows days", () => {
    expect([daysOf(null), daysOf(604_800), daysOf(3_600)]).toEqual(["", 7, 0.042]);
    expect(retentionOf(org, "failed")).toBe(604_800);
    expect(retentionOf(org, "dead_letter")).toBeNull();
  });
});
