export const HOST_TABS = ["overview", "servers", "jobs", "schedules", "timeline", "settings"] as const;

export type HostTab = (typeof HOST_TABS)[number];

/** The tab in the address; the first one if none is named. */
export function readTab({ tab }: Record<string, unknown>): { tab?: HostTab } {
  const found = HOST_TABS.find((each) => each === tab);
  return found ? { tab: found } : {};
}
