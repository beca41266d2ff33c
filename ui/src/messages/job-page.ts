/** Texts of the page of one job. */
export const jobPageText = {
  timeline: {
    label: "Timeline",
    queued: "queued",
    began: "started",
    ended: "finished",
    lasted: {
      queued: (time: string) => `waited ${time}`,
      began: (time: string) => `ran ${time}`,
    },
  },
  same: {
    title: (n: number) => `Last ${n} jobs of this definition`,
    all: "All jobs",
    median: "median",
    label: (n: number, median: string | undefined) =>
      `Durations of the last ${n} jobs of this definition${median ? `, median ${median}` : ""}`,
  },
  terminal: "Command line",
  audit: "Show in audit log",
  redacted: "Values shown as ••• are hidden because they are secret.",
  back: "Jobs",
  facts: "Details",
  noPayload: "No payload.",
  output: "Result",
  attempts: "Attempts",
  attempt: (n: number) => `Attempt ${n}`,
  noAttempts: "The job has not started yet. Its output appears here once it does.",
  targetQueue: (queue: string) => `any host (queue ${queue})`,
  targetSelector: (selector: string) => `hosts with ${selector}`,
  gone: "Job not found",
  goneHint: "It may be older than the retention period of finished jobs, or the link is wrong.",
};
