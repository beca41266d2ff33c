const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Texts of bulk actions on jobs. */
export const jobBulkText = {
  retryTitle: (n: number) => `Retry ${count(n, "job", "jobs")}?`,
  cancelTitle: (n: number) => `Cancel ${count(n, "job", "jobs")}?`,
  matchTitle: "Change all matching jobs",
  counting: "Counting…",
  matchCount: (n: number, isComplete: boolean) =>
    `${isComplete ? "" : "At least "}${count(n, "job matches", "jobs match")} the filter.`,
  filter: "Filter",
  everything: "all jobs",
  action: "Action",
  actions: { retry: "Retry", cancel: "Cancel" },
  note: "The hub runs this as a batch, which has its own page. Jobs created later are not affected.",
  submit: (action: "retry" | "cancel", n: number) =>
    `${action === "cancel" ? "Cancel" : "Retry"} ${count(n, "job", "jobs")}`,
  started: (n: number) => `Batch started for ${count(n, "job", "jobs")}`,
  show: "Show batch",
};
