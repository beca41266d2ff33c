export const jobPageText = {
  timeline: {
    label: "Timeline",
    queued: "queued",
    started: "started",
    /** Labels of steps that have not happened yet. */
    future: { queued: "queued", started: "start", ended: "end" },
    durations: {
      queued: (time: string) => `waited ${time}`,
      started: (time: string) => `ran ${time}`,
    },
  },
  similar: {
    title: (n: number) => `Last ${n} jobs of this definition`,
    all: "All jobs",
    median: "median",
    label: (n: number, median: string | undefined) =>
      `Durations of the last ${n} jobs of this definition${median ? `, median ${median}` : ""}`,
  },
  terminal: "Command line",
  audit: "Show in audit log",
  redacted: "Secret values are hidden and shown as •••.",
  back: "Jobs",
  details: "Details",
  noPayload: "No payload.",
  output: "Result",
  attempt: (n: number) => `Attempt ${n}`,
  noAttempts: "The job has not started yet. Its output will appear here.",
  targetQueue: (queue: string) => `any host (queue ${queue})`,
  targetSelector: (selector: string) => `hosts with ${selector}`,
  notFound: "Job not found",
  notFoundHint: "It may be older than the retention period of finished jobs, or the link is wrong.",
};
