/** Sentences about the schedules of one host. */
export const scheduleText = {
  columns: {
    label: "Schedule",
    when: "When",
    next: "Next",
    days: "Last 30 days",
    succeeded: "Last success",
    runs: "Runs",
  },
  none: "No schedule is for this host.",
  make: "New schedule",
  note: "Schedules that are for this host and no other in its stead. Those for any host of a queue or a label are on the page of triggers.",
  key: "Marks:",
  states: { idle: "none due", done: "done", open: "open", missed: "missed", failed: "failed" },
  nothing: "no time yet",
  strip: (days: number, what: string) => `Last ${days} days: ${what}`,
  day: (date: string, word: string, times: number) =>
    times > 1 ? `${date}: ${word} (${times} times)` : `${date}: ${word}`,
  never: "never here",
  off: "off",
  staleSoon: "alert",
  stale: "stale since",
  checking: (when: string) => `checking for missed runs ${when}`,
  caughtUp: (jobs: number) => `catch-up: ${jobs} ${jobs === 1 ? "run" : "runs"} started`,
};
