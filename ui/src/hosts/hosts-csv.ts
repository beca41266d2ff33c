import type { Host } from "../api/model";
import { toCsv } from "../parts/csv";
import { saveFile } from "../parts/save-file";
import { readings } from "./readings";

const COLUMNS = [
  "name",
  "status",
  "status_reason",
  "always_on",
  "cpu_percent",
  "memory_percent",
  "disk_percent",
  "runner_version",
  "last_heartbeat_at",
  "labels",
  "id",
];

/** The listed hosts as CSV. */
export function hostsCsv(hosts: readonly Host[]): string {
  return toCsv(
    COLUMNS,
    hosts.map((host) => {
      const { cpu, memory, disk } = readings(host);
      const labels = Object.entries(host.labels).map(([key, value]) => (value ? `${key}=${value}` : key));
      return [
        host.name,
        host.status,
        host.status_reason,
        String(host.always_on),
        cpu,
        memory,
        disk,
        host.runner_version,
        host.last_heartbeat_at,
        labels.join(" "),
        host.id,
      ];
    }),
  );
}

export function saveHosts(hosts: readonly Host[]): void {
  saveFile(hostsCsv(hosts), "hosts.csv", "text/csv");
}
