import type { HostStatus } from "../api/model";
import { HOST_STATUSES } from "./status";

/** Filter of the list in the URL. */
export interface HostFilter {
  status?: string;
  labels?: string;
  name?: string;
  /** Only hosts with an outdated runner. */
  runner?: "old";
}

/** Reads the filter from the URL and drops invalid values. */
export function readFilter(search: Record<string, unknown>): HostFilter {
  const filter: HostFilter = {};
  const status = writeStatuses(readStatuses(toText(search.status)));
  const labels = toText(search.labels);
  const name = toText(search.name);
  if (status) filter.status = status;
  if (labels) filter.labels = labels;
  if (name) filter.name = name;
  if (search.runner === "old") filter.runner = "old";
  return filter;
}

/** The router parses bare numbers, but a host may be named "42". */
function toText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

export function readStatuses(value: string | undefined): HostStatus[] {
  const requested = new Set((value ?? "").split(","));
  return HOST_STATUSES.filter((status) => requested.has(status));
}

function writeStatuses(statuses: HostStatus[]): string {
  return statuses.join(",");
}

export function toggleStatus(filter: HostFilter, status: HostStatus): HostFilter {
  const selected = new Set(readStatuses(filter.status));
  if (!selected.delete(status)) selected.add(status);
  return readFilter({ ...filter, status: HOST_STATUSES.filter((each) => selected.has(each)).join(",") });
}

/** Adds a requirement to the label selector if it is missing. */
export function requireLabel(filter: HostFilter, requirement: string): HostFilter {
  const current = filter.labels ?? "";
  if (current.split(",").includes(requirement)) return filter;
  return { ...filter, labels: current ? `${current},${requirement}` : requirement };
}

export function isFiltered(filter: HostFilter): boolean {
  return Boolean(filter.status || filter.labels || filter.name || filter.runner);
}
