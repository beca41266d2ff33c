import { expect, it } from "vitest";
import type { TimelineItem } from "../api/model";
import { groupByDay, itemStatus } from "./timeline";

const item = (at: string, kind = "run", word = "succeeded") => ({ at, kind, word, text: "" }) as TimelineItem;

it("groupByDay groups by local day", () => {
  const items = [item("2026-11-16T23:30:00Z"), item("2026-11-16T22:30:00Z")];
  expect(groupByDay(items, "UTC")).toHaveLength(1);
  expect(groupByDay(items, "Europe/Berlin").map(([day]) => day)).toEqual([
    "Tuesday 17 November",
    "Monday 16 November",
  ]);
});

it("itemStatus shows unknown kinds as needing attention", () => {
  expect(itemStatus(item("", "run", "crashed"))).toBe("failed");
  expect(itemStatus(item("", "outage", "asleep"))).toBe("scheduled");
  expect(itemStatus(item("", "alert", "host_offline"))).toBe("retrying");
});
