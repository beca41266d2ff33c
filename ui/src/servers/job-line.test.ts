import { expect, it } from "vitest";
import { jobLine } from "./job-line";

const NOW = Date.parse("2026-11-16T08:00:00Z");
const why = { status: "queued", reason: "host_asleep", text: "host nas is asleep" };
const job = (change: object) => ({
  definition_key: "SERVER_START",
  status: "queued" as const,
  why,
  ...change,
});

it("jobLine describes waiting, running and finished jobs", () => {
  expect(jobLine(job({}), NOW)?.text).toBe("waiting to start: host nas is asleep");
  expect(jobLine(job({ status: "running" }), NOW)?.text).toBe("starting…");
  expect(jobLine(job({ status: "failed", last_error: "exited with code 3" }), NOW)?.text).toBe(
    "start failed: exited with code 3",
  );
  expect(jobLine(job({ status: "succeeded", finished_at: "2026-11-16T07:59:50Z" }), NOW)).toEqual({
    status: "succeeded",
    text: "started",
  });
});

it("jobLine hides old successes", () => {
  expect(jobLine(job({ status: "succeeded", finished_at: "2026-11-16T07:58:00Z" }), NOW)).toBeUndefined();
  expect(jobLine(job({ definition_key: "hello" }), NOW)).toBeUndefined();
});
