import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { Host } from "../api/model";
import { text } from "../messages";
import { selectText } from "../messages/select";
import { Check } from "../parts/Check";
import { CheckAll } from "../parts/CheckRow";
import table from "../parts/Table.module.css";
import type { Selection } from "../parts/useSelection";
import { Time } from "../time/Time";
import { AlwaysOnChip } from "./AlwaysOnChip";
import styles from "./HostTable.module.css";
import { LabelChips } from "./LabelChips";
import { Meter } from "./Meter";
import { RotationDueChip } from "./RotationDueChip";
import { RunnerVersion } from "./RunnerVersion";
import { readings } from "./readings";
import { StatusMark } from "./StatusMark";
import { WaitingLink } from "./WaitingLink";

export interface HostListProps {
  hosts: Host[];
  newestRunner: string | undefined;
  onLabel: (label: string) => void;
  selection: Selection;
  /** Number of waiting jobs, by host name. */
  waiting: ReadonlyMap<string, number>;
}

const words = text.hosts.columns;

export function HostTable({ hosts, newestRunner, onLabel, selection, waiting }: HostListProps) {
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col" className={table.tight}>
              <CheckAll selection={selection} keys={hosts.map(({ id }) => id)} />
            </th>
            <th scope="col">{words.host}</th>
            <th scope="col">{words.status}</th>
            <th scope="col">{words.mode}</th>
            <th scope="col">{words.cpu}</th>
            <th scope="col">{words.memory}</th>
            <th scope="col">{words.disk}</th>
            <th scope="col">{words.runner}</th>
            <th scope="col" className={table.right}>
              {words.seen}
            </th>
            <th scope="col">{words.labels}</th>
          </tr>
        </thead>
        <tbody>
          {hosts.map((host) => (
            <Row
              key={host.id}
              host={host}
              newestRunner={newestRunner}
              onLabel={onLabel}
              waiting={waiting.get(host.name)}
              isSelected={selection.has(host.id)}
              onSelect={selection.toggle}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  host: Host;
  newestRunner: string | undefined;
  onLabel: (label: string) => void;
  waiting: number | undefined;
  isSelected: boolean;
  onSelect: Selection["toggle"];
}

const Row = memo(function Row({ host, newestRunner, onLabel, waiting, isSelected, onSelect }: RowProps) {
  const { cpu, memory, disk } = readings(host);
  return (
    <tr data-selected={isSelected || undefined}>
      <td className={table.tight}>
        <Check
          label={selectText.select(host.name)}
          isChecked={isSelected}
          onToggle={(isRange) => onSelect(host.id, isRange)}
        />
      </td>
      <td className={styles.name}>
        <Link to="/hosts/$host" params={{ host: host.name }} data-row className={styles.link}>
          {host.name}
        </Link>
      </td>
      <td className={styles.status}>
        <StatusMark host={host} />
        {host.rotation_due && <RotationDueChip />}
        <WaitingLink host={host.name} count={waiting} />
      </td>
      <td>{host.always_on && <AlwaysOnChip />}</td>
      <td>
        <Meter name={words.cpu} percent={cpu} />
      </td>
      <td>
        <Meter name={words.memory} percent={memory} />
      </td>
      <td>
        <Meter name={words.disk} percent={disk} isDisk />
      </td>
      <td>
        <RunnerVersion version={host.runner_version} newest={newestRunner} />
      </td>
      <td className={`${table.right} ${table.tight} dim`}>
        <Time at={host.last_heartbeat_at} none={text.hosts.neverSeen} />
      </td>
      <td className={styles.labels}>
        <LabelChips labels={host.labels} onLabel={onLabel} />
      </td>
    </tr>
  );
});
