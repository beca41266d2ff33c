import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { keys } from "../api/keys";
import type { Trigger } from "../api/model";
import { useSession } from "../app/session";
import { calendarText } from "../messages/calendar";
import { EmptyState } from "../parts/EmptyState";
import { ErrorBox } from "../parts/ErrorBox";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import { useNow } from "../time/clock";
import { duration, relative } from "../time/format";
import { useZoneName } from "../time/zone";
import { type CalendarSpan, type Frequent, type PlannedRun, planRuns, runsByDay } from "./calendar";
import { stateOf } from "./state";
import styles from "./TriggerCalendar.module.css";

/** Maximum number of runs per request. */
const TIMES_MAX = 100;

/** Calendar of the runs of the next day or week, computed by the hub's scheduler. */
export default function TriggerCalendar({ triggers, span }: { triggers: Trigger[]; span: CalendarSpan }) {
  const { org, api } = useSession();
  const now = useNow();
  const zone = useZoneName();
  const schedules = triggers.filter(
    (trigger) => trigger.trigger_type === "schedule" && stateOf(trigger, now) !== "off",
  );
  const results = useQueries({
    queries: schedules.map(({ id, next_fire_at }) => ({
      // The next run is part of the query key, so the list is refetched after it has passed.
      queryKey: [...keys.trigger(org.slug, id), "times", next_fire_at ?? ""],
      queryFn: () => api.nextFires(id, TIMES_MAX),
      staleTime: 300_000,
    })),
  });
  const failed = results.find(({ error, data }) => error && !data);
  if (failed) {
    return (
      <div className={page.notice}>
        <ErrorBox error={failed.error} onRetry={() => void failed.refetch()} />
      </div>
    );
  }
  if (results.some(({ data }) => !data)) return <Skeleton />;
  const all = schedules.map((trigger, index) => {
    const times = (results[index]?.data?.times ?? []).map(({ at }) => Date.parse(at));
    return { trigger, times, isTruncated: times.length >= TIMES_MAX };
  });
  const { single, frequent } = planRuns(all, now, span);
  if (single.length === 0 && frequent.length === 0) {
    return (
      <EmptyState title={calendarText.none[span]}>
        <p>{calendarText.noneHint}</p>
      </EmptyState>
    );
  }
  return (
    <>
      {frequent.length > 0 && <FrequentRuns frequent={frequent} />}
      <div className={styles.days} data-span={span}>
        {runsByDay(single, now, span, zone).map(({ day, at, runs }) => (
          <section key={day} className={styles.day} aria-label={dayName(at, zone)}>
            <h2 className={styles.name}>{dayName(at, zone)}</h2>
            {runs.length === 0 ? (
              <p className={styles.noRuns}>{calendarText.nothing}</p>
            ) : (
              <ol className={styles.fires}>
                {runs.map((run) => (
                  <Entry key={`${run.trigger.id} ${run.at}`} run={run} now={now} zone={zone} />
                ))}
              </ol>
            )}
          </section>
        ))}
      </div>
    </>
  );
}

function FrequentRuns({ frequent }: { frequent: Frequent<Trigger>[] }) {
  return (
    <section className={styles.frequent} aria-label={calendarText.often}>
      <h2 className={styles.name}>{calendarText.often}</h2>
      <ul className={styles.frequentList}>
        {frequent.map(({ trigger, every, count }) => (
          <li key={trigger.id} className={styles.frequentItem}>
            <Icon name="sync" />
            <Link to="/triggers/$trigger" params={{ trigger: trigger.id }} data-row>
              {trigger.label}
            </Link>
            <span className="dim num">{calendarText.every(duration(every), count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entry({ run, now, zone }: { run: PlannedRun<Trigger>; now: number; zone: string }) {
  const { trigger, at } = run;
  return (
    <li className={styles.fire} data-paused={stateOf(trigger, at) === "paused" || undefined}>
      <time className="num" dateTime={new Date(at).toISOString()} data-zone={trigger.timezone ?? undefined}>
        {clockTime(at, zone)}
      </time>
      <span className={styles.body}>
        <Link to="/triggers/$trigger" params={{ trigger: trigger.id }} data-row>
          {trigger.label}
        </Link>
        <span className="faint small">
          {trigger.definition_key} · {relative(at, now)}
        </span>
      </span>
    </li>
  );
}

/** "Mon 16 Nov". */
function dayName(at: number, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    day: "numeric",
    month: "short",
  })
    .format(at)
    .replace(",", "");
}

/** "02:30". */
function clockTime(at: number, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "short" }).format(at);
}
