export const SERVER_TABS = ["overview", "console", "runs", "activity", "settings"] as const;

export type ServerTab = (typeof SERVER_TABS)[number];

/** The tab in the address, and the run whose output is shown; the newest if none is named. */
export function readServerTab({ tab, run }: Record<string, unknown>): { tab?: ServerTab; run?: number } {
  const found = SERVER_TABS.find((each) => each === tab);
  const no = Number(run);
  return { ...(found ? { tab: found } : {}), ...(Number.isInteger(no) && no > 0 ? { run: no } : {}) };
}
