const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Texts about hubs and sync. */
export const syncText = {
  title: "Hubs and sync",
  intro:
    "Hosts record the changes that they make while disconnected, and send them to this hub when they reconnect. This page shows how many changes are still missing.",
  host: "Host",
  priority: "Priority",
  priorities: { control: "control", bulk: "bulk" } as Record<string, string>,
  state: "State",
  upToDate: "up to date",
  behind: (n: number) => `${count(n, "change", "changes")} behind`,
  since: "Behind for",
  resetting: "full resync",
  rejected: "Rejected",
  updated: "Last received",
  error: "Last error",
  none: "No host has sent changes yet.",
  ownChanges: "Changes this machine sends to its hubs",
  hub: "Hub",
  noHub: "none yet",
  waiting: "Pending",
  confirmed: "Last confirmed",
  rejectedTitle: "Rejected rows",
  rejectedNone: "No rejected rows.",
  rejectedNote: "The newest 100 rows that the hub could not store, with the reason.",
  table: "Table",
  row: "Row",
  reason: "Reason",
  at: "Time",
};
