const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Sentences about many jobs at once. */
export const jobBulkText = {
  retryTitle: (n: number) => `Retry ${count(n, "job", "jobs")}?`,
  cancelTitle: (n: number) => `Cancel ${count(n, "job", "jobs")}?`,
  matchTitle: "Act on all that match",
  counting: "Counting…",
  fits: (n: number, isComplete: boolean) =>
    `${isComplete ? "" : "At least "}${count(n, "job fits", "jobs fit")} the filter.`,
  filter: "Filter",
  everything: "every job",
  action: "Do what",
  actions: { retry: "retry them", cancel: "cancel them" },
  note: "Runs on the hub as a batch with a page of its own. Jobs made later are left alone.",
  go: (n: number) => `Go on with ${n.toLocaleString("en")}`,
  started: (n: number) => `${count(n, "job", "jobs")}: started`,
  show: "Show batch",
};
