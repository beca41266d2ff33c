/** Sentences of the page of one job. */
export const jobPageText = {
  timeline: {
    label: "From the queue to the end",
    queued: "queued",
    began: "began",
    ended: "ends",
    lasted: {
      queued: (time: string) => `waited ${time}`,
      began: (time: string) => `ran ${time}`,
    },
  },
  same: {
    title: (n: number) => `Same command, last ${n}`,
    all: "All of them",
    median: "median",
    label: (n: number, median: string | undefined) =>
      `Lengths of the last ${n} jobs of this command${median ? `, half of them at most ${median}` : ""}`,
  },
  terminal: "From a terminal",
  audit: "In the audit log",
  redacted: "Values shown as ••• are secret.",
  back: "Jobs",
  facts: "Facts",
  noPayload: "None.",
  output: "Result",
  attempts: "Attempts",
  attempt: (n: number) => `Attempt ${n}`,
  noAttempts: "It has not begun yet. Its output appears here when it does.",
  targetQueue: (queue: string) => `queue ${queue}`,
  targetSelector: (selector: string) => `hosts with ${selector}`,
  gone: "There is no such job",
  goneHint: "It may have been removed with its org, or be past the time that jobs are kept.",
};
