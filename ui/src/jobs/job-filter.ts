import type { JobStatus } from "../api/model";
import { filterValues, toggleFilterValue } from "../parts/filter-terms";
import { JOB_STATUSES } from "./job-status";

/** Adds the host chosen in the header to the filter. */
export function withHost(filter: string | undefined, host: string | undefined): string | undefined {
  return host === undefined ? filter : [filter, `host:"${host}"`].filter(Boolean).join(" ");
}

/** The statuses in the filter. */
export function statusesOf(filter: string | undefined): JobStatus[] {
  return filterValues(filter, "status", JOB_STATUSES);
}

/** Adds a status to the filter or removes it. */
export function toggleStatus(filter: string | undefined, status: JobStatus): string {
  return toggleFilterValue(filter, "status", JOB_STATUSES, status);
}
