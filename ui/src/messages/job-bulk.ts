const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

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
  /** `undefined` while the jobs are counted, "all" if only a lower bound is known. */
  submit: (action: "retry" | "cancel", n: number | "all" | undefined) => {
    const verb = action === "cancel" ? "Cancel" : "Retry";
    if (n === undefined) return `${verb} jobs`;
    return n === "all" ? `${verb} all matching jobs` : `${verb} ${count(n, "job", "jobs")}`;
  },
  started: (n: number | "all") =>
    n === "all" ? "Batch started" : `Batch started for ${count(n, "job", "jobs")}`,
  keep: "Keep jobs",
  show: "Show batch",
};
