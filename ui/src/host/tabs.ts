import { type RangeSearch, readRange } from "../charts/range";

export const HOST_TABS = [
  "overview",
  "servers",
  "jobs",
  "schedules",
  "metrics",
  "timeline",
  "settings",
] as const;

export type HostTab = (typeof HOST_TABS)[number];

/** Tab and chart range in the URL. */
export function readTab(search: Record<string, unknown>): RangeSearch & { tab?: HostTab } {
  const found = HOST_TABS.find((each) => each === search.tab);
  return { ...(found ? { tab: found } : {}), ...readRange(search) };
}
