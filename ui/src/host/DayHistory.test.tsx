import { describe, expect, it } from "vitest";
import type { ScheduleDay } from "../api/model";
import { describeDays } from "./DayHistory";

const day = (state: ScheduleDay["state"], times = 1): ScheduleDay => ({ date: "2026-11-16", state, times });

describe("describeDays", () => {
  it("counts the days by state", () => {
    const days = [day("idle", 0), day("done"), day("done"), day("missed"), day("failed")];
    expect(describeDays(days)).toBe("Last 5 days: 2 done, 1 missed, 1 failed");
  });

  it("reports that no run was due", () => {
    expect(describeDays([day("idle", 0)])).toBe("Last 1 day: no runs due");
  });
});
