const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Texts of the overview and the wallboard. */
export const overviewText = {
  title: "Overview",
  wall: "Wallboard",
  needsAttention: (n: number) => count(n, "alert needs attention", "alerts need attention"),
  allClear: "All clear",
  allClearHint: "No open alerts.",
  moreAlerts: (n: number) => count(n, "more alert", "more alerts"),
  queue: "Queue",
  allJobs: "All jobs",
  hosts: "Hosts",
  allHosts: "All hosts",
  hostsHealthy: "All hosts are healthy.",
  running: "Running now",
  runningNone: "No running jobs.",
  next: "Next 24 hours",
  nextNone: "No scheduled runs in the next 24 hours.",
  allTriggers: "All triggers",
  recent: "Recent jobs",
  recentNone: "No jobs have run yet.",
  wait: "wait",
  run: "run time",
  success: "success rate 24 h",
  /** At most 99.9 % unless all succeeded, so that a single failure stays visible. */
  percent: (part: number) => `${part === 1 ? 100 : Math.min(99.9, Math.round(part * 1000) / 10)} %`,
  retryAll: (n: number, isMore: boolean) => {
    if (isMore) return "Retry all jobs…";
    return n === 1 ? "Retry 1 job…" : `Retry all ${n.toLocaleString("en")} jobs…`;
  },
  moreNext: (n: number) => count(n, "more schedule", "more schedules"),
  moreHosts: (n: number) => count(n, "more host", "more hosts"),
  runsPerDay: (n: number) => `×${n.toLocaleString("en")}`,
  p50: "p50",
  p95: "p95",
  getStarted: "Get started",
  progress: (n: number, of: number) => `${n} of ${of} done`,
  dismiss: "Dismiss",
  hints: {
    hub: "Done. You are signed in.",
    host: "Run one command on another machine.",
    run: "See its output live.",
    schedule: "For example every night, or every 5 minutes.",
    channel: "Discord, Slack, ntfy, email or a webhook.",
  },
  steps: {
    hub: "Start the hub",
    host: "Add a second host",
    run: "Run the hello job",
    schedule: "Create a schedule",
    channel: "Test an alert channel",
  },
  done: "done",
  toDo: "to do",
  wallHosts: "Hosts",
  wallJobs: "Jobs",
  wallAlerts: "Alerts",
};
