import type { ReactNode } from "react";
import type { HostDetail, HostMetrics } from "../api/model";
import { hasFreshMetrics } from "../hosts/status";
import { hostText } from "../messages/host";
import { DetailList, Panel } from "../parts/Panel";
import { bytes, duration, percent } from "../time/format";
import { Time } from "../time/Time";
import styles from "./HostPage.module.css";
import { WideMeter } from "./WideMeter";

const words = hostText.host;

export function MetricsPanel({ host }: { host: HostDetail }) {
  const metrics = host.last_metrics;
  return (
    <Panel
      title={words.metrics}
      aside={
        metrics && (
          <>
            {words.readAt} <Time at={host.last_heartbeat_at} />
          </>
        )
      }
    >
      {metrics ? (
        <Readings metrics={metrics} isFresh={hasFreshMetrics(host.status)} />
      ) : (
        <p className="dim">{words.noMetrics}</p>
      )}
    </Panel>
  );
}

function Readings({ metrics, isFresh }: { metrics: HostMetrics; isFresh: boolean }) {
  const rows: [string, ReactNode][] = [];
  if (typeof metrics.load_1 === "number") rows.push([words.load, metrics.load_1.toFixed(2)]);
  rows.push([words.uptime, duration(metrics.uptime_seconds * 1000)]);
  if (metrics.battery) {
    const { percent: charge, is_charging: isCharging } = metrics.battery;
    rows.push([words.battery, `${Math.round(charge)}%, ${isCharging ? words.charging : words.onBattery}`]);
  }
  return (
    <>
      <div className={styles.meters}>
        <WideMeter name={words.cpu} percent={Math.round(metrics.cpu_percent)} isFresh={isFresh} />
        <WideMeter
          name={words.memory}
          percent={percent(metrics.memory_used_bytes, metrics.memory_total_bytes)}
          detail={used(metrics.memory_used_bytes, metrics.memory_total_bytes)}
          isFresh={isFresh}
        />
        {metrics.disks.map((disk) => (
          <WideMeter
            key={disk.mount}
            name={disk.mount}
            percent={percent(disk.used_bytes, disk.total_bytes)}
            detail={used(disk.used_bytes, disk.total_bytes)}
            isFresh={isFresh}
            isDisk
          />
        ))}
      </div>
      <DetailList rows={rows} />
    </>
  );
}

function used(part: number, total: number): string {
  return `${bytes(part)} / ${bytes(total)}`;
}
