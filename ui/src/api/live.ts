import { type InfiniteData, notifyManager, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState } from "react";
import { Batcher } from "./batcher";
import { ApiError } from "./client";
import { type EventConnection, nextTransport, openEventConnection } from "./event-connection";
import { patchJob } from "./job-patch";
import { keys } from "./keys";
import { isPaused, onResume, usePaused } from "./live-pause";
import type { Host, HostDetail, LiveEvent, Page } from "./model";
import { RefetchThrottle } from "./refetch-throttle";

export type LiveState = "open" | "connecting" | "closed";

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 5000;
/** Events within this time are applied together and trigger one refetch. */
const BATCH_MS = 250;
/** Events carry state changes only. Metrics and "last seen" are polled, about as often as hosts report. */
const POLL_LIVE_MS = 10_000;
const POLL_CLOSED_MS = 5000;

export const LiveContext = createContext<LiveState>("connecting");

/** Poll interval for queries; `false` while updates are paused. */
export function usePollInterval(): number | false {
  const isOpen = useContext(LiveContext) === "open";
  if (usePaused()) return false;
  return isOpen ? POLL_LIVE_MS : POLL_CLOSED_MS;
}

const listeners = new Set<(event: LiveEvent) => void>();

/** Registers a listener for events of the organization. It is not called while updates are paused. */
export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps one event connection of the organization open and applies its events to the cache. */
export function useLiveEvents(slug: string): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("connecting");

  useEffect(() => {
    let connection: EventConnection | undefined;
    let failures = 0;
    let wasOpen = false;
    let hasSocketOpened = false;
    let cursor: number | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const processor = new EventProcessor(client, slug);

    const connect = () => {
      const transport = nextTransport(hasSocketOpened, failures);
      const opened: EventConnection = openEventConnection(transport, slug, cursor, {
        onOpen: () => {
          failures = 0;
          hasSocketOpened ||= transport === "socket";
          setState("open");
          // Refetches everything: some changes during the outage have no stored event.
          if (wasOpen && !isPaused()) void client.invalidateQueries();
          wasOpen = true;
        },
        onMessage: (data) => {
          const event = readEvent(data);
          if (!event) return;
          cursor = event.cursor ?? cursor;
          processor.process(event);
        },
        onClose: () => {
          if (opened === connection) scheduleReconnect();
        },
      });
      connection = opened;
    };
    const scheduleReconnect = () => {
      if (isStopped) return;
      setState("closed");
      retry = setTimeout(connect, retryDelay(failures, Math.random()));
      failures += 1;
    };

    /** Closing a dead connection can take long: treat it as closed and reconnect. */
    const reconnectNow = () => {
      const dead = connection;
      if (!dead?.isOpen()) return;
      connection = undefined;
      scheduleReconnect();
      dead.close();
    };

    // A failed request reveals a lost network sooner than the socket does.
    const stopWatching = client.getQueryCache().subscribe((event) => {
      if (event.type !== "updated" || event.action.type !== "error") return;
      if (event.action.error instanceof ApiError && event.action.error.isUnreachable) reconnectNow();
    });
    const stopResume = onResume(() => void client.invalidateQueries());

    setState("connecting");
    connect();
    return () => {
      isStopped = true;
      clearTimeout(retry);
      processor.stop();
      stopWatching();
      stopResume();
      connection?.close();
    };
  }, [client, slug]);

  return state;
}

/** Applies events to the cache: patches shown rows immediately and schedules refetches. */
class EventProcessor {
  private readonly throttles = new Map<string, RefetchThrottle>();
  private readonly batcher = new Batcher<LiveEvent>(BATCH_MS, (events) => {
    if (isPaused()) return;
    notifyManager.batch(() => {
      for (const event of events) this.apply(event);
    });
  });

  constructor(
    private readonly client: QueryClient,
    private readonly slug: string,
  ) {}

  process(event: LiveEvent): void {
    if (!isPaused()) this.batcher.add(event);
  }

  private apply(event: LiveEvent): void {
    const { client, slug } = this;
    for (const listener of listeners) listener(event);
    const area = event.type.split(".", 1)[0] ?? "";
    if (area === "host") {
      patchHost(client, slug, event);
      this.refetchSoon(area, [keys.hosts(slug), keys.hostsOf(slug), keys.status(slug)]);
    } else if (area === "job" || area === "job_run") {
      patchJob(client, slug, event);
      if (event.type === "job_run.progress") return;
      this.refetchSoon("job", [
        keys.jobs(slug),
        keys.jobHead(slug),
        keys.jobSummary(slug),
        keys.jobsOf(slug),
      ]);
    } else if (area === "alert") {
      this.refetchSoon(area, [keys.alerts(slug), keys.notices(slug)]);
    } else if (event.type === "resync" || event.type === "closed") {
      // Events were lost, or the user's role changed: refetch everything, the session included.
      void client.invalidateQueries();
    }
  }

  stop(): void {
    this.batcher.stop();
    for (const throttle of this.throttles.values()) throttle.stop();
  }

  private refetchSoon(area: string, stale: (readonly string[])[]): void {
    let throttle = this.throttles.get(area);
    if (!throttle) {
      throttle = new RefetchThrottle(() => {
        for (const queryKey of stale) void this.client.invalidateQueries({ queryKey });
      });
      this.throttles.set(area, throttle);
    }
    throttle.trigger();
  }
}

/** Exponential back-off with a cap. Half of it is random, so that many tabs do not reconnect together. */
export function retryDelay(failures: number, random: number): number {
  const full = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(failures, 10));
  return full / 2 + (full / 2) * random;
}

function readEvent(data: unknown): LiveEvent | undefined {
  if (typeof data !== "string") return undefined;
  try {
    return JSON.parse(data) as LiveEvent;
  } catch {
    return undefined;
  }
}

/** Patches a host immediately; the refetch that follows updates filters and order. */
function patchHost(client: QueryClient, slug: string, event: LiveEvent): void {
  const { host_id: id, data } = event;
  if (!id || typeof data !== "object" || data === null) return;
  const patch = <T extends Host>(host: T): T => (host.id === id ? { ...host, ...pick(host, data) } : host);
  client.setQueriesData<InfiniteData<Page<Host>>>({ queryKey: keys.hosts(slug) }, (old) =>
    old?.pages
      ? { ...old, pages: old.pages.map((page) => ({ ...page, items: page.items.map(patch) })) }
      : old,
  );
  client.setQueriesData<HostDetail>({ queryKey: keys.hostsOf(slug) }, (old) => old && patch(old));
}

/** Keeps only fields that the cached host has, because events carry additional ones. */
function pick(host: object, data: object): Partial<Host> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== "id" && key in host));
}
