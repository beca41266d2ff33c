export const scheduleText = {
  columns: {
    label: "Schedule",
    when: "When",
    next: "Next run",
    days: "Last 30 days",
    succeeded: "Last success",
    definition: "Definition",
  },
  none: "No schedules for this host.",
  note: "Schedules that target this host by name. The Triggers page also lists schedules that target a queue or labels.",
  states: { idle: "none due", done: "done", open: "pending", missed: "missed", failed: "failed" },
  noRuns: "no runs due",
  history: (days: number, summary: string) => `Last ${days} ${days === 1 ? "day" : "days"}: ${summary}`,
  day: (date: string, word: string, times: number) =>
    times > 1 ? `${date}: ${word} (${times} times)` : `${date}: ${word}`,
  never: "never",
  disabled: "disabled",
  staleAlertAt: "alert",
  stale: "stale since",
  checking: (when: string) => `checking for missed runs ${when}`,
  caughtUp: (jobs: number) => `catch-up: ${jobs} ${jobs === 1 ? "run" : "runs"} started`,
};
