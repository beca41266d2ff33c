import type { Host } from "../api/model";
import { percent } from "../time/format";
import { hasFreshMetrics } from "./status";

export interface Readings {
  cpu: number | undefined;
  memory: number | undefined;
  disk: number | undefined;
}

const NO_READINGS: Readings = { cpu: undefined, memory: undefined, disk: undefined };

/** Metrics of a connected host in percent; of several disks, the fullest. */
export function readings({ status, last_metrics: metrics }: Pick<Host, "status" | "last_metrics">): Readings {
  if (!metrics || !hasFreshMetrics(status)) return NO_READINGS;
  const disks = metrics.disks.map((disk) => percent(disk.used_bytes, disk.total_bytes));
  return {
    cpu: Math.round(metrics.cpu_percent),
    memory: percent(metrics.memory_used_bytes, metrics.memory_total_bytes),
    disk: disks.length > 0 ? Math.max(...disks) : undefined,
  };
}
