import { type RangeSearch, readRange } from "../charts/range";

export const SERVER_TABS = ["overview", "console", "runs", "activity", "settings"] as const;

export type ServerTab = (typeof SERVER_TABS)[number];

interface ServerSearch extends RangeSearch {
  tab?: ServerTab;
  /** Run whose output is shown; the latest if absent. */
  run?: number;
}

export function readServerTab(search: Record<string, unknown>): ServerSearch {
  const found = SERVER_TABS.find((each) => each === search.tab);
  const run = Number(search.run);
  return {
    ...(found ? { tab: found } : {}),
    ...(Number.isInteger(run) && run > 0 ? { run } : {}),
    ...readRange(search),
  };
}
