import { Link } from "@tanstack/react-router";
import { text } from "../messages";
import { CheckRow } from "../parts/CheckRow";
import { Time } from "../time/Time";
import { AlwaysOnChip } from "./AlwaysOnChip";
import styles from "./HostCards.module.css";
import type { HostListProps } from "./HostTable";
import { LabelChips } from "./LabelChips";
import { Meter } from "./Meter";
import { RotationDueChip } from "./RotationDueChip";
import { RunnerVersion } from "./RunnerVersion";
import { readings } from "./readings";
import { StatusMark } from "./StatusMark";
import { WaitingLink } from "./WaitingLink";

const words = text.hosts.columns;

/** Host list for narrow screens, one card per host. */
export function HostCards({ hosts, newestRunner, onLabel, selection, waiting }: HostListProps) {
  return (
    <ul className={styles.cards}>
      {hosts.map((host) => {
        const { cpu, memory, disk } = readings(host);
        return (
          <li key={host.id} className={styles.card}>
            <div className={styles.top}>
              <CheckRow selection={selection} id={host.id} name={host.name} />
              <Link to="/hosts/$host" params={{ host: host.name }} data-row className={styles.name}>
                {host.name}
              </Link>
              {host.always_on && <AlwaysOnChip />}
              <span className={styles.seen}>
                <Time at={host.last_heartbeat_at} none={text.hosts.neverSeen} />
              </span>
            </div>
            <div className={styles.top}>
              <StatusMark host={host} />
              {host.rotation_due && <RotationDueChip />}
              <WaitingLink host={host.name} count={waiting.get(host.name)} />
              <span className={styles.seen}>
                <RunnerVersion version={host.runner_version} newest={newestRunner} />
              </span>
            </div>
            {cpu !== undefined && (
              <div className={styles.meters}>
                <Meter name={words.cpu} percent={cpu} isNamed />
                <Meter name={words.memory} percent={memory} isNamed />
                {disk !== undefined && <Meter name={words.disk} percent={disk} isDisk isNamed />}
              </div>
            )}
            <LabelChips labels={host.labels} onLabel={onLabel} />
          </li>
        );
      })}
    </ul>
  );
}
