import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { TimelineItem } from "../api/model";
import { useSession } from "../app/session";
import { StatusLabel } from "../jobs/JobMark";
import { alertText } from "../messages/alerts";
import { hostTabText } from "../messages/host-tabs";
import overview from "../overview/OverviewPage.module.css";
import page from "../parts/Page.module.css";
import { Segments } from "../parts/Segments";
import { hubNow } from "../time/clock";
import { duration } from "../time/format";
import { Time } from "../time/Time";
import { TimedText } from "../time/TimedText";
import { useZoneName } from "../time/zone";
import styles from "./HostPage.module.css";
import { groupByDay, itemStatus } from "./timeline";

const HOURS = { day: 24, week: 168, month: 720 };
type TimelineSpan = keyof typeof HOURS;

/** Timeline of a host: outages, runs, schedules and alerts. */
export default function HostTimeline({ name }: { name: string }) {
  const { org, api } = useSession();
  const [span, setSpan] = useState<TimelineSpan>("day");
  const zone = useZoneName();
  const timeline = useQuery({
    queryKey: [...keys.timeline(org.slug, name), span],
    queryFn: () => api.timeline(name, new Date(hubNow() - HOURS[span] * 3_600_000).toISOString()),
    refetchInterval: usePollInterval(),
  });
  return (
    <div className={styles.timeline}>
      <Segments
        label={hostTabText.since}
        value={span}
        onChange={setSpan}
        choices={(["day", "week", "month"] as const).map((value) => ({
          value,
          label: hostTabText.spans[value],
        }))}
      />
      <QueryState query={timeline}>
        {({ items, has_more }) => (
          <>
            {items.length === 0 && <p className={page.empty}>{hostTabText.timelineNone}</p>}
            {groupByDay(items, zone).map(([day, rows]) => (
              <section key={day} aria-label={day}>
                <h2>{day}</h2>
                <ul className={overview.lines}>
                  {rows.map((item, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two items can have the same time
                    <Line key={`${item.at}-${index}`} item={item} />
                  ))}
                </ul>
              </section>
            ))}
            {has_more && <p className="dim">{hostTabText.timelineMore}</p>}
          </>
        )}
      </QueryState>
    </div>
  );
}

function Line({ item }: { item: TimelineItem }) {
  const durationMs = item.until ? Date.parse(item.until) - Date.parse(item.at) : 0;
  return (
    <li className={overview.line}>
      <span>
        <StatusLabel
          status={itemStatus(item)}
          label={hostTabText.status[item.word] ?? alertText.kinds[item.word] ?? item.word}
        />
      </span>
      <span className={styles.body}>
        <TimedText>{item.text}</TimedText>{" "}
        {item.job_id && (
          <Link to="/jobs/$job" params={{ job: item.job_id }} data-row>
            {hostTabText.openJob}
          </Link>
        )}
        {item.trigger_id && (
          <>
            {" "}
            <Link to="/triggers/$trigger" params={{ trigger: item.trigger_id }}>
              {hostTabText.openTrigger}
            </Link>
          </>
        )}
      </span>
      <span className={overview.end}>
        {durationMs >= 1000 && <>{hostTabText.duration(duration(durationMs))} · </>}
        <Time at={item.at} />
      </span>
    </li>
  );
}
