import { Link } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import type { HostSchedule } from "../api/model";
import { scheduleText } from "../messages/host-schedules";
import { DataTable } from "../parts/DataTable";
import page from "../parts/Page.module.css";
import { useNow } from "../time/clock";
import { Time } from "../time/Time";
import { DayHistory } from "./DayHistory";
import styles from "./HostPage.module.css";
import { useHostSchedules } from "./useHostSchedules";

const words = scheduleText.columns;

/** Schedules of a host with their history and the time at which they count as stale. */
export default function HostSchedules({ name }: { name: string }) {
  const schedules = useHostSchedules(name);
  return (
    <QueryState query={schedules}>
      {({ items }) =>
        items.length === 0 ? (
          <p className={page.empty}>{scheduleText.none}</p>
        ) : (
          <>
            <DataTable
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { head: words.label, cell: (schedule) => <Label schedule={schedule} /> },
                { head: words.when, cell: (schedule) => <When schedule={schedule} />, isLong: true },
                { head: words.next, cell: (schedule) => <Next schedule={schedule} /> },
                { head: words.days, cell: ({ days }) => <DayHistory days={days} />, isLong: true },
                { head: words.succeeded, cell: (schedule) => <Success schedule={schedule} /> },
                { head: words.definition, cell: ({ definition_key }) => definition_key },
              ]}
            />
            <p className={page.empty}>{scheduleText.note}</p>
          </>
        )
      }
    </QueryState>
  );
}

function Label({ schedule }: { schedule: HostSchedule }) {
  return (
    <Link to="/triggers/$trigger" params={{ trigger: schedule.id }} data-row>
      {schedule.label}
    </Link>
  );
}

function When({ schedule }: { schedule: HostSchedule }) {
  return (
    <>
      {schedule.description}
      <span className="faint"> · {schedule.timezone}</span>
    </>
  );
}

function Next({ schedule }: { schedule: HostSchedule }) {
  if (!schedule.is_enabled) return <span className="faint">{scheduleText.disabled}</span>;
  return <Time at={schedule.next_fire_at} />;
}

function Success({ schedule: { succeeded_at, stale_at } }: { schedule: HostSchedule }) {
  const now = useNow();
  if (!succeeded_at) return <span className="faint">{scheduleText.never}</span>;
  return (
    <>
      <Time at={succeeded_at} />
      {stale_at && (
        <span className={Date.parse(stale_at) <= now ? styles.stale : "faint"}>
          {" · "}
          {Date.parse(stale_at) <= now ? scheduleText.stale : scheduleText.staleAlertAt}{" "}
          <Time at={stale_at} />
        </span>
      )}
    </>
  );
}
