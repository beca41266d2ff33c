import { expect, it } from "vitest";
import type { Job } from "../api/model";
import { jobsToExplain } from "./job-list";

it("jobsToExplain is limited to a number of waiting jobs", () => {
  const jobs = Array.from(
    { length: 200 },
    (_, n) => ({ id: String(n), status: n % 2 ? "queued" : "running" }) as Job,
  );
  const asked = jobsToExplain(jobs);
  expect(asked.size).toBe(30);
  expect(asked.has("1")).toBe(true);
  expect(asked.has("0")).toBe(false);
});
