import { expect, it } from "vitest";
import type { TimelineItem } from "../api/model";
import { byDay, timelineFace } from "./timeline";

const item = (at: string, kind = "run", word = "succeeded") => ({ at, kind, word, text: "" }) as TimelineItem;

it("byDay groups by local day", () => {
  const items = [item("2026-11-16T23:30:00Z"), item("2026-11-16T22:30:00Z")];
  expect(byDay(items, "UTC")).toHaveLength(1);
  expect(byDay(items, "Europe/Berlin").map(([day]) => day)).toEqual([
    "Tuesday 17 November",
    "Monday 16 November",
  ]);
});

it("timelineFace shows unknown kinds as needing attention", () => {
  expect(timelineFace(item("", "run", "crashed"))).toBe("failed");
  expect(timelineFace(item("", "gap", "asleep"))).toBe("scheduled");
  expect(timelineFace(item("", "alert", "host_offline"))).toBe("retrying");
});
