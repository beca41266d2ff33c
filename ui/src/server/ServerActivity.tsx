import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Server } from "../api/model";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { latest } from "../events/recent";
import host from "../host/HostPage.module.css";
import { creatorName } from "../jobs/creator-name";
import { JobMark } from "../jobs/JobMark";
import mark from "../jobs/JobMark.module.css";
import { serverText } from "../messages/server";
import { serversText } from "../messages/servers";
import overview from "../overview/OverviewPage.module.css";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { ServerGlyph } from "../servers/ServerGlyph";
import { serverTone } from "../servers/state";
import { Time } from "../time/Time";
import { TimedText } from "../time/TimedText";
import { type Activity, mergeActivity } from "./activity";
import styles from "./ServerPage.module.css";

const words = serverText.activity;
const ITEMS_MAX = 200;

/** Activity of a server: state changes, jobs, and for admins the audit entries. */
export default function ServerActivity({ server }: { server: Server }) {
  const { org, api, role } = useSession();
  const canViewAudit = may(role, "admin");
  const activity = useQuery({
    queryKey: [...keys.server(org.slug, server.id), "activity"],
    queryFn: async ({ signal }) => {
      const [events, jobs, auditEntries] = await Promise.all([
        latest((cursor) => api.events({ types: "server.", cursor, limit: 1000 }), 1000),
        api.jobs({ filter: `arg.server:${server.id}`, limit: 100 }, signal),
        canViewAudit ? api.audit({ action: "server.*", limit: 500 }) : { items: [] },
      ]);
      return mergeActivity(server.id, events, jobs.items, auditEntries.items).slice(0, ITEMS_MAX);
    },
    refetchInterval: usePollInterval(),
  });
  return (
    <div className={`${styles.tab} ${styles.activity}`}>
      <p className="dim">{words.note}</p>
      <QueryState query={activity}>
        {(items) =>
          items.length === 0 ? (
            <p className={page.empty}>{words.none}</p>
          ) : (
            <ul className={overview.lines}>
              {items.map((item, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two items can have the same time
                <li key={`${item.at}-${index}`} className={overview.line}>
                  <Line item={item} />
                  <span className={overview.end}>
                    <Time at={item.at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </div>
  );
}

function Line({ item }: { item: Activity }) {
  if (item.kind === "job") {
    return (
      <>
        <span>
          <JobMark job={item.job} />
        </span>
        <Link to="/jobs/$job" params={{ job: item.job.id }} data-row>
          {item.job.definition_key}
        </Link>
        <span className={host.body}>{creatorName(item.job.created_by)}</span>
      </>
    );
  }
  if (item.kind === "state") {
    return (
      <>
        <span>
          <span className={mark.word} data-tone={serverTone(item.state)}>
            <ServerGlyph state={item.state} />
            {serversText.state[item.state]}
          </span>
        </span>
        <span className={host.body}>
          <TimedText>{item.text}</TimedText>
        </span>
      </>
    );
  }
  return (
    <>
      <span>
        <span className={mark.word} data-tone="quiet">
          <Icon name="person" />
          {item.action}
        </span>
      </span>
      <span className={host.body}>
        {words.by(item.actor)} {item.text}
      </span>
    </>
  );
}
