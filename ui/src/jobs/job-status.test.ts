import { expect, it } from "vitest";
import { displayStatus, jobDurations, shortId } from "./job-status";

it("displayStatus shows scheduled and retrying jobs", () => {
  const job = { status: "queued", wait_reason: null, is_canceling: false } as const;
  expect(displayStatus(job)).toBe("queued");
  expect(displayStatus({ ...job, wait_reason: "later" })).toBe("scheduled");
  expect(displayStatus({ ...job, wait_reason: "retry_backoff" })).toBe("retrying");
  expect(displayStatus({ ...job, wait_reason: "host_offline" })).toBe("queued");
  expect(displayStatus({ ...job, status: "running", is_canceling: true })).toBe("canceling");
});

it("jobDurations counts waiting from the due time, never below zero", () => {
  const job = {
    status: "running" as const,
    queued_at: "2026-11-16T10:00:00Z",
    scheduled_for: "2026-11-16T10:05:00Z",
    started_at: "2026-11-16T10:05:02Z",
    finished_at: null,
  };
  expect(jobDurations(job, Date.parse("2026-11-16T10:06:02Z"))).toEqual({ waited: 2000, took: 60_000 });
  expect(jobDurations(job, Date.parse("2026-11-15T10:00:00Z")).took).toBe(0);
  expect(jobDurations({ ...job, status: "queued" }, Date.parse("2026-11-16T10:06:02Z")).took).toBeUndefined();
  expect(jobDurations({ ...job, started_at: null }, 0)).toEqual({ waited: undefined, took: undefined });
});

it("shortId shortens IDs, not names", () => {
  expect(shortId("01M7H9SV1XAPE9CM5BAQ284JMX")).toBe("01M7…4JMX");
  expect(shortId("short")).toBe("short");
});
