import type { HostStatus } from "../api/model";
import { text } from "../messages";
import { type HostFilter, readStatuses, toggleStatus } from "./filter";
import styles from "./StatusCounts.module.css";
import { StatusGlyph } from "./StatusGlyph";
import { HOST_STATUSES, hostTone } from "./status";

interface Props {
  counts: Partial<Record<HostStatus, number>>;
  filter: HostFilter;
  onChange: (filter: HostFilter) => void;
}

/** Counts by status; each is a filter. Empty ones are omitted unless they are part of the filter. */
export function StatusCounts({ counts, filter, onChange }: Props) {
  const selected = readStatuses(filter.status);
  const visible = HOST_STATUSES.filter((status) => counts[status] || selected.includes(status));
  return (
    <fieldset className={styles.counts}>
      <legend className="sr-only">{text.hosts.filterStatus}</legend>
      {visible.map((status) => (
        <button
          key={status}
          type="button"
          className={styles.count}
          data-tone={hostTone(status)}
          aria-pressed={selected.includes(status)}
          onClick={() => onChange(toggleStatus(filter, status))}
        >
          <StatusGlyph status={status} />
          <strong className="num">{(counts[status] ?? 0).toLocaleString("en")}</strong>
          {text.status[status]}
        </button>
      ))}
    </fieldset>
  );
}
