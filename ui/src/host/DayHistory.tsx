import type { ScheduleDay } from "../api/model";
import { scheduleText } from "../messages/host-schedules";
import styles from "./DayHistory.module.css";

/** History bar of a schedule with one mark per day and a text alternative. */
export function DayHistory({ days }: { days: ScheduleDay[] }) {
  return (
    <span className={styles.history} role="img" aria-label={describeDays(days)}>
      {days.map(({ date, state, times }) => (
        <span
          key={date}
          className={styles.day}
          data-state={state}
          title={scheduleText.day(date, scheduleText.states[state], times)}
        />
      ))}
    </span>
  );
}

/** "Last 30 days: 24 done, 2 missed". Days without a scheduled run are omitted. */
export function describeDays(days: ScheduleDay[]): string {
  const counts = (["done", "open", "missed", "failed"] as const)
    .map((state) => [days.filter((day) => day.state === state).length, scheduleText.states[state]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`);
  return scheduleText.history(days.length, counts.join(", ") || scheduleText.noRuns);
}
