const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Sentences of the first page and the wallboard. */
export const overviewText = {
  title: "Overview",
  wall: "Wallboard",
  needsYou: (n: number) => `${count(n, "thing needs you", "things need you")}`,
  fine: "Nothing needs you",
  fineHint: "No alert is open.",
  moreAlerts: (n: number) => `${n.toLocaleString("en")} more`,
  queue: "Queue",
  allJobs: "All jobs",
  hosts: "Hosts",
  allHosts: "All hosts",
  hostsFine: "All as they should be.",
  running: "Running now",
  runningNone: "Nothing runs.",
  next: "Next 24 hours",
  nextNone: "No schedule fires within a day.",
  allTriggers: "All triggers",
  recent: "Recent",
  recentNone: "Nothing has run yet.",
  wait: "wait",
  run: "run",
  success: "success 24 h",
  /** Never rounded up to all of them. */
  percent: (part: number) => `${part === 1 ? 100 : Math.min(99.9, Math.round(part * 1000) / 10)} %`,
  retryAll: (n: number, isMore: boolean) => {
    if (isMore) return "Retry all…";
    return n === 1 ? "Retry…" : `Retry all ${n.toLocaleString("en")}…`;
  },
  moreNext: (n: number) => `${n.toLocaleString("en")} more`,
  moreHosts: (n: number) => `${n.toLocaleString("en")} more`,
  times: (n: number) => `×${n.toLocaleString("en")}`,
  p50: "p50",
  p95: "p95",
  first: "First steps",
  progress: (n: number, of: number) => `${n} of ${of} done`,
  dismiss: "Dismiss",
  hints: {
    hub: "You are looking at it.",
    host: "One command on another machine.",
    run: "Prints a friendly line; its output is live.",
    schedule: "Every night, or every five minutes.",
    channel: "Discord, Slack, ntfy, e-mail or a webhook.",
  },
  steps: {
    hub: "The hub is up",
    host: "Add a second host",
    run: "Run hello",
    schedule: "Schedule it",
    channel: "Test an alert channel",
  },
  done: "done",
  open: "open",
  wallHosts: "Hosts",
  wallJobs: "Jobs",
  wallAlerts: "Alerts",
};
