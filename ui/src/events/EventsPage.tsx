import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { onLiveEvent } from "../api/live";
import type { LiveEvent } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { JobsTabs } from "../jobs/JobsTabs";
import { eventText } from "../messages/events";
import { jobText } from "../messages/jobs";
import { DataTable } from "../parts/DataTable";
import { EmptyState } from "../parts/EmptyState";
import { FilterInput } from "../parts/FilterInput";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import { NewRowsButton } from "../parts/NewRowsButton";
import page from "../parts/Page.module.css";
import { useReading } from "../parts/useReading";
import { useTitle } from "../parts/useTitle";
import { Time } from "../time/Time";
import { ViewsMenu } from "../views/ViewsMenu";
import styles from "./EventsPage.module.css";
import { latest, matchesPrefix, mergeEvents } from "./recent";

const EmitDialog = lazy(() => import("./EmitDialog"));
const words = eventText;
const route = getRouteApi("/frame/events");
/** Number of listed events. */
const EVENTS_MAX = 200;

export function EventsPage() {
  useTitle(words.title);
  const { org, api, role } = useSession();
  const { types } = route.useSearch();
  const navigate = route.useNavigate();
  const [isEmitting, setEmitting] = useState(false);
  const stored = useQuery({
    queryKey: [...keys.events(org.slug), { types }],
    queryFn: () => latest((cursor) => api.events({ types, cursor, limit: 1000 }), EVENTS_MAX),
  });
  const liveEvents = useLiveEventList(types);
  return (
    <>
      <div className={page.head}>
        <h1>{jobText.title}</h1>
        <JobsTabs />
        <GatedButton
          variant="default"
          refused={refusal(role, "operator")}
          leftSection={<Icon name="bolt" />}
          onClick={() => setEmitting(true)}
        >
          {words.emit}
        </GatedButton>
      </div>
      <search className={page.bar}>
        <FilterInput
          isFirst
          icon="search"
          label={words.filter}
          placeholder={words.filterHint}
          value={types ?? ""}
          onChange={(next) =>
            void navigate({
              search: ({ types: _, ...old }) => (next ? { ...old, types: next } : old),
              replace: true,
            })
          }
        />
        <ViewsMenu page="events" />
      </search>
      <QueryState query={stored}>
        {(events) => (
          <Events
            events={mergeEvents(liveEvents.events, events)}
            isFiltered={Boolean(types)}
            fresh={liveEvents}
          />
        )}
      </QueryState>
      {isEmitting && (
        <Suspense>
          <EmitDialog onClose={() => setEmitting(false)} />
        </Suspense>
      )}
    </>
  );
}

interface LiveEvents {
  events: LiveEvent[];
  waiting: number;
}

/** Live events since the page was opened; held back while the user has scrolled down. */
function useLiveEventList(types: string | undefined): LiveEvents {
  const isReading = useReading();
  const [all, setAll] = useState<LiveEvent[]>([]);
  const [held, setHeld] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new filter resets the list
  useEffect(() => setAll([]), [types]);
  useEffect(
    () =>
      onLiveEvent((event) => {
        if (matchesPrefix(event, types)) setAll((old) => [event, ...old].slice(0, EVENTS_MAX));
      }),
    [types],
  );
  useEffect(() => {
    if (!isReading) setHeld(all.length);
  }, [isReading, all.length]);
  const waiting = isReading ? Math.max(0, all.length - held) : 0;
  return { events: all.slice(waiting), waiting };
}

interface EventsProps {
  events: LiveEvent[];
  isFiltered: boolean;
  fresh: LiveEvents;
}

function Events({ events, isFiltered, fresh }: EventsProps) {
  if (events.length === 0) {
    return (
      <EmptyState title={isFiltered ? words.noMatch : words.none}>
        <p>{words.noneHint}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <NewRowsButton count={fresh.waiting} />
      <DataTable
        rows={events.map((event, index) => ({
          event,
          key: `${event.cursor ?? event.at}-${events.length - index}`,
        }))}
        keyOf={({ key }) => key}
        columns={[
          {
            head: words.name,
            cell: ({ event }) => <span className={styles.name}>{event.type}</span>,
            isTight: true,
          },
          { head: words.data, cell: ({ event }) => <EventPayload event={event} />, isLong: true },
          {
            head: words.at,
            cell: ({ event }) => <Time at={event.at} />,
            isRight: true,
            isTight: true,
          },
        ]}
      />
    </>
  );
}

/** Event payload in short form, with a link to its job. */
function EventPayload({ event }: { event: LiveEvent }) {
  const data = (event.data ?? {}) as Record<string, unknown>;
  const job = typeof data.job_id === "string" ? data.job_id : undefined;
  return (
    <span className={styles.payload}>
      <code title={JSON.stringify(data)}>{summary(data)}</code>
      {job && (
        <Link to="/jobs/$job" params={{ job }} data-row>
          {words.open}
        </Link>
      )}
    </span>
  );
}

const HIDDEN = new Set(["job_id", "run_id", "host_id", "server_id", "org_id", "alert_id"]);

function summary(data: Record<string, unknown>): string {
  return Object.entries(data)
    .filter(([name, value]) => !HIDDEN.has(name) && value !== null)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}
