export const chartText = {
  range: "Time range",
  ranges: { "1h": "1 hour", "24h": "24 hours", "7d": "7 days" },
  now: "now",
  asTable: "As table",
  asChart: "As chart",
  time: "Time",
  none: "No data for this time range.",
  /** Read out by screen readers in place of the drawing. */
  textAlternative: (name: string, now: string, min: string, max: string) =>
    `${name}: last ${now}, lowest ${min}, highest ${max}`,
  textAlternativeNone: (name: string) => `${name}: no data`,
  seconds: (n: number) => `${n < 10 ? n.toFixed(1) : Math.round(n)} s`,
  count: (n: number) => (Number.isInteger(n) || n >= 100 ? Math.round(n).toLocaleString("en") : n.toFixed(1)),
  percent: (n: number) => `${n > 0 && n < 10 ? n.toFixed(1) : Math.round(n)}%`,
  host: {
    cpu: "CPU",
    memory: "Memory",
    disk: "Fullest disk",
    load: "Load",
    running: "Running jobs",
  },
  server: { cpu: "CPU (% of one core)", memory: "Memory" },
  jobs: {
    title: "Throughput",
    finished: "Jobs",
    waitTimes: "Wait before start",
    enqueued: "enqueued",
    succeeded: "succeeded",
    failed: "failed",
    wait_p50: "p50",
    wait_p95: "p95",
  },
};
