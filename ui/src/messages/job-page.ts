/** Sentences of the page of one job. */
export const jobPageText = {
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
