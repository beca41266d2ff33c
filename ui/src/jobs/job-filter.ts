import type { JobStatus } from "../api/model";
import { asked, toggled } from "../parts/filter-terms";
import { JOB_STATUSES } from "./job-status";

/** The filter with the host that the header names. */
export function withHost(filter: string | undefined, host: string | undefined): string | undefined {
  return host === undefined ? filter : [filter, `host:"${host}"`].filter(Boolean).join(" ");
}

/** The states asked for. */
export function statusesOf(filter: string | undefined): JobStatus[] {
  return asked(filter, "status", JOB_STATUSES);
}

/** Asks for a state too, or no longer. */
export function toggleStatus(filter: string | undefined, status: JobStatus): string {
  return toggled(filter, "status", JOB_STATUSES, status);
}
