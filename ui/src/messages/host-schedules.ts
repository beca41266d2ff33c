/** Texts of the schedules tab of one host. */
export const scheduleText = {
  columns: {
    label: "Schedule",
    when: "When",
    next: "Next",
    days: "Last 30 days",
    succeeded: "Last success",
    runs: "Runs",
  },
  none: "No schedules for this host.",
  make: "New schedule",
  note: "Shows schedules that run on this host specifically. Schedules for any host of a queue or label are on the Triggers page.",
  key: "Legend:",
  states: { idle: "none due", done: "done", open: "pending", missed: "missed", failed: "failed" },
  nothing: "no runs due",
  strip: (days: number, what: string) => `Last ${days} ${days === 1 ? "day" : "days"}: ${what}`,
  day: (date: string, word: string, times: number) =>
    times > 1 ? `${date}: ${word} (${times} times)` : `${date}: ${word}`,
  never: "never",
  off: "disabled",
  staleSoon: "alert",
  stale: "stale since",
  checking: (when: string) => `checking for missed runs ${when}`,
  caughtUp: (jobs: number) => `catch-up: ${jobs} ${jobs === 1 ? "run" : "runs"} started`,
};
