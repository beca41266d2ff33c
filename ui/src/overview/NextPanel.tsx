import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";
import { overviewText } from "../messages/overview";
import { Panel } from "../parts/Panel";
import { useNow } from "../time/clock";
import { Time } from "../time/Time";
import styles from "./OverviewPage.module.css";
import { upcoming } from "./upcoming";

const SHOWN = 8;

/** What the clock brings within a day. */
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
          const rows = upcoming(items, now).slice(0, SHOWN);
          if (rows.length === 0) return <p className="dim">{overviewText.nextNone}</p>;
          return (
            <ul className={styles.lines}>
              {rows.map(({ trigger }) => (
                <li key={trigger.id} className={styles.line}>
                  <Link to="/triggers/$trigger" params={{ trigger: trigger.id }} data-row>
                    {trigger.label}
                  </Link>
                  <span className={styles.middle}>
                    {trigger.description} · {trigger.timezone}
                  </span>
                  <span className={styles.end}>
                    <Time at={trigger.next_fire_at} zone={trigger.timezone ?? undefined} />
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryState>
    </Panel>
  );
}
