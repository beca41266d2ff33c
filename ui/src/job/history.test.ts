import { expect, it } from "vitest";
import type { Job } from "../api/model";
import { barsOf } from "./history";

const job = (seconds: number, status = "succeeded") =>
  ({
    id: String(seconds),
    status,
    queued_at: "2026-11-16T10:00:00Z",
    scheduled_for: "2026-11-16T10:00:00Z",
    started_at: "2026-11-16T10:00:00Z",
    finished_at: `2026-11-16T10:00:${String(seconds).padStart(2, "0")}Z`,
  }) as Job;

it("barsOf sorts oldest first with heights by duration", () => {
  const { bars, median } = barsOf([job(10), job(20), job(40), job(5, "failed")], 0);
  expect(bars.map(({ height }) => height)).toEqual([0.125, 1, 0.5, 0.25]);
  expect(median).toBe(20_000);
});

it("barsOf omits jobs that never ran", () => {
  const never = { ...job(3, "canceled"), started_at: null } as Job;
  expect(barsOf([never], 0)).toEqual({ bars: [], median: undefined });
});
