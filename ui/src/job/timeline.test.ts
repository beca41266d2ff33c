import { expect, it } from "vitest";
import type { Job } from "../api/model";
import { stepsOf } from "./timeline";

const at = (second: number) => `2026-11-16T10:00:${String(second).padStart(2, "0")}Z`;
const now = Date.parse(at(30));
const job = (change: Partial<Job>) =>
  ({ status: "running", queued_at: at(0), scheduled_for: at(0), started_at: at(2), ...change }) as Job;

it("stepsOf lists queued, started and finished with durations", () => {
  const steps = stepsOf(job({ status: "succeeded", finished_at: at(12) }), now);
  expect(steps.map(({ name, isDone, until }) => [name, isDone, until?.ms])).toEqual([
    ["queued", true, 2000],
    ["started", true, 10_000],
    ["ended", true, undefined],
  ]);
});

it("stepsOf marks future steps", () => {
  const [, started, ended] = stepsOf(job({}), now);
  expect(started?.until).toEqual({ ms: 28_000, isRunning: true });
  expect(ended?.isDone).toBe(false);
});

it('stepsOf omits "started" for jobs that never ran', () => {
  const steps = stepsOf(job({ status: "canceled", started_at: null, finished_at: at(5) }), now);
  expect(steps.map(({ name }) => name)).toEqual(["queued", "ended"]);
  expect(steps[0]?.until?.ms).toBe(5000);
});
