import { expect, it } from "vitest";
import { applyJobEvent } from "./job-patch";
import type { Job } from "./model";

const AT = "2026-11-16T10:00:00Z";
const queued = {
  id: "J1",
  status: "queued",
  wait_reason: "at_limit",
  attempt_count: 0,
  started_at: null,
  finished_at: null,
  last_error: null,
} as Job;

it("applyJobEvent applies start and end events", () => {
  const running = applyJobEvent(queued, { job_id: "J1", status: "running", attempt: 1 }, AT);
  expect(running).toMatchObject({ status: "running", wait_reason: null, attempt_count: 1, started_at: AT });
  const failed = applyJobEvent(running, { job_id: "J1", status: "failed", attempt: 1, error: "exit 2" }, AT);
  expect(failed).toMatchObject({ status: "failed", finished_at: AT, last_error: "exit 2" });
});

it("applyJobEvent keeps the reason of a job that is queued again", () => {
  const again = applyJobEvent(
    queued,
    { job_id: "J1", status: "queued", attempt: 1, reason: "retry_backoff" },
    AT,
  );
  expect(again).toMatchObject({ status: "queued", wait_reason: "retry_backoff", finished_at: null });
});

it("applyJobEvent ignores events of an earlier attempt", () => {
  const second = { ...queued, status: "running", attempt_count: 2 } as Job;
  expect(applyJobEvent(second, { job_id: "J1", status: "failed", attempt: 1 }, AT)).toBe(second);
});
