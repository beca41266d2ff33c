import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";
import { overviewText } from "../messages/overview";
import { Icon } from "../parts/Icon";
import { Panel } from "../parts/Panel";
import { useNow } from "../time/clock";
import { timeOfDay } from "../time/format";
import { Time } from "../time/Time";
import { useZoneName } from "../time/zone";
import styles from "./OverviewPage.module.css";
import { type Upcoming, upcoming } from "./upcoming";

const ROWS_MAX = 6;

/** Scheduled runs of the next 24 hours; frequent schedules are shown as a count. */
export function NextPanel() {
  const { org, api } = useSession();
  const now = useNow();
  const triggers = useQuery({
    queryKey: keys.triggers(org.slug),
    queryFn: api.triggers,
    refetchInterval: usePollInterval(),
  });
  return (
    <Panel title={overviewText.next} aside={<Link to="/triggers">{overviewText.allTriggers}</Link>}>
      <QueryState query={triggers}>
        {({ items }) => {
          const { single, frequent } = upcoming(items, now);
          const rows = [...single.slice(0, ROWS_MAX), ...frequent.slice(0, ROWS_MAX)];
          if (rows.length === 0) return <p className="dim">{overviewText.nextNone}</p>;
          const more = single.length + frequent.length - rows.length;
          return (
            <>
              <ul className={styles.lines}>
                {rows.map((row) => (
                  <Line key={row.trigger.id} row={row} />
                ))}
              </ul>
              {more > 0 && (
                <Link to="/triggers" search={{ view: "day" }} className={styles.rest}>
                  {overviewText.moreNext(more)}
                </Link>
              )}
            </>
          );
        }}
      </QueryState>
    </Panel>
  );
}

function Line({ row: { trigger, at, runs, isFrequent } }: { row: Upcoming }) {
  const zone = useZoneName();
  return (
    <li className={styles.line}>
      <span className={styles.clock}>
        {isFrequent ? <Icon name="sync" /> : <span className="num">{timeOfDay(at, zone).slice(0, 5)}</span>}
      </span>
      <Link to="/triggers/$trigger" params={{ trigger: trigger.id }} data-row>
        {trigger.label}
      </Link>
      <span className={styles.middle}>
        {isFrequent ? trigger.description : trigger.definition_key}
        {runs > 1 && <span className="num">, {overviewText.runsPerDay(runs)}</span>}
      </span>
      <span className={styles.end}>
        <Time at={trigger.next_fire_at} zone={trigger.timezone ?? undefined} />
      </span>
    </li>
  );
}
