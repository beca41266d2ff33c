import type { HostStatus } from "../api/model";
import { HOST_STATUSES } from "./status";

/** The filter of the list as it stands in the address. */
export interface HostFilter {
  status?: string;
  labels?: string;
  name?: string;
  /** Only those whose runner is older than others. */
  runner?: "old";
}

/** Keeps what can be understood of an address somebody may have typed. */
export function readFilter(search: Record<string, unknown>): HostFilter {
  const filter: HostFilter = {};
  const status = writeStatuses(readStatuses(word(search.status)));
  const labels = word(search.labels);
  const name = word(search.name);
  if (status) filter.status = status;
  if (labels) filter.labels = labels;
  if (name) filter.name = name;
  if (search.runner === "old") filter.runner = "old";
  return filter;
}

/** The router reads bare numbers in addresses as numbers: a host may be named "42". */
function word(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

export function readStatuses(written: string | undefined): HostStatus[] {
  const asked = new Set((written ?? "").split(","));
  return HOST_STATUSES.filter((status) => asked.has(status));
}

function writeStatuses(statuses: HostStatus[]): string {
  return statuses.join(",");
}

export function toggleStatus(filter: HostFilter, status: HostStatus): HostFilter {
  const chosen = new Set(readStatuses(filter.status));
  if (!chosen.delete(status)) chosen.add(status);
  return readFilter({ ...filter, status: HOST_STATUSES.filter((each) => chosen.has(each)).join(",") });
}

/** Adds a requirement to the label selector unless it is there. */
export function requireLabel(filter: HostFilter, requirement: string): HostFilter {
  const present = filter.labels ?? "";
  if (present.split(",").includes(requirement)) return filter;
  return { ...filter, labels: present ? `${present},${requirement}` : requirement };
}

export function isFiltered(filter: HostFilter): boolean {
  return Boolean(filter.status || filter.labels || filter.name || filter.runner);
}
