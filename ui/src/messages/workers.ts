const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Texts about workers and the queues of all organizations. */
export const workerText = {
  title: "Workers",
  intro: "Workers run jobs: the runners of hosts, and your own programs that claim jobs over HTTP.",
  worker: "Worker",
  org: "Organization",
  version: "Version",
  queues: "Queues",
  running: "Running",
  seen: "Last seen",
  state: "State",
  active: "active",
  stale: "stale",
  staleWarning: (n: number) =>
    `${count(n, "worker has", "workers have")} not contacted the hub for too long.`,
  staleHint: "When a worker's lease expires, its jobs go to other workers.",
  none: "No workers yet.",
  queue: "Queues of all organizations",
  queued: "Queued",
  dead: "Dead letter",
  failed: "Failed",
  oldest: "Oldest",
  wait: "Wait p50 / p95",
  rate: "Created per min",
  failing: "Failure rate",
};
