import { expect, it } from "vitest";
import type { Job } from "../api/model";
import { jobsToExplain } from "./job-list";

it("jobsToExplain is limited to a number of waiting jobs", () => {
  const jobs = Array.from(
    { length: 200 },
    (_, n) => ({ id: String(n), status: n % 2 ? "queued" : "running" }) as Job,
  );
  const ids = jobsToExplain(jobs);
  expect(ids.size).toBe(30);
  expect(ids.has("1")).toBe(true);
  expect(ids.has("0")).toBe(false);
});
