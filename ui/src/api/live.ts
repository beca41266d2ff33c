import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState } from "react";
import { basePath } from "../app/base";
import { ApiError } from "./client";
import { keys } from "./keys";
import type { Host, HostDetail, LiveEvent, Page } from "./model";

export type LiveState = "open" | "connecting" | "closed";

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 5000;
/** Many events at once lead to one refetch. */
const GATHER_MS = 250;
/** Events tell changes of state; readings and "last seen" come by asking, about as often as hosts report. */
const POLL_LIVE_MS = 10_000;
const POLL_CLOSED_MS = 5000;

export const LiveContext = createContext<LiveState>("connecting");

/** How often a query should ask by itself. */
export function usePollInterval(): number {
  return useContext(LiveContext) === "open" ? POLL_LIVE_MS : POLL_CLOSED_MS;
}

/** Keeps one socket open for an org's events and feeds them into the cache. */
export function useLiveEvents(slug: string): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("connecting");

  useEffect(() => {
    let socket: WebSocket | undefined;
    let failures = 0;
    let wasOpen = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let gather: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;

    const refetchSoon = () => {
      gather ??= setTimeout(() => {
        gather = undefined;
        refetchHosts(client, slug);
      }, GATHER_MS);
    };

    const take = (event: LiveEvent) => {
      if (event.type.startsWith("host.")) {
        patchHost(client, slug, event);
        refetchSoon();
      } else if (event.type === "resync" || event.type === "closed") {
        // Events were lost, or the caller's rights changed: even who one is may differ now.
        void client.invalidateQueries();
      }
    };

    const connect = () => {
      const own = new WebSocket(eventsUrl(slug));
      socket = own;
      own.onopen = () => {
        failures = 0;
        setState("open");
        // Whatever happened while nobody listened.
        if (wasOpen) void client.invalidateQueries();
        wasOpen = true;
      };
      own.onmessage = ({ data }) => {
        const event = readEvent(data);
        if (event) take(event);
      };
      own.onclose = () => {
        if (isOver || own !== socket) return;
        setState("closed");
        retry = setTimeout(connect, retryDelay(failures, Math.random()));
        failures += 1;
      };
    };

    /** Closing a dead connection takes its time: go on as if it had. */
    const giveUp = () => {
      const dead = socket;
      if (dead?.readyState !== WebSocket.OPEN) return;
      dead.onclose?.(new CloseEvent("close"));
      socket = undefined;
      dead.close();
    };

    // A socket notices a lost network late; a request that found no hub knows better.
    const stopWatching = client.getQueryCache().subscribe((event) => {
      if (event.type !== "updated" || event.action.type !== "error") return;
      if (event.action.error instanceof ApiError && event.action.error.isAway) giveUp();
    });

    setState("connecting");
    connect();
    return () => {
      isOver = true;
      clearTimeout(retry);
      clearTimeout(gather);
      stopWatching();
      socket?.close();
    };
  }, [client, slug]);

  return state;
}

/** Doubles up to a bound; the random half keeps many tabs from knocking together. */
export function retryDelay(failures: number, random: number): number {
  const full = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(failures, 10));
  return full / 2 + (full / 2) * random;
}

function eventsUrl(slug: string): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${basePath}/api/v1/orgs/${encodeURIComponent(slug)}/events`;
}

function readEvent(data: unknown): LiveEvent | undefined {
  if (typeof data !== "string") return undefined;
  try {
    return JSON.parse(data) as LiveEvent;
  } catch {
    return undefined;
  }
}

function refetchHosts(client: QueryClient, slug: string): void {
  void client.invalidateQueries({ queryKey: keys.hosts(slug) });
  void client.invalidateQueries({ queryKey: keys.hostsOf(slug) });
  void client.invalidateQueries({ queryKey: keys.status(slug) });
}

/** Shows a change at once; the refetch that follows settles filters and order. */
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

/** Only fields the host already has: an event may carry more than a row shows. */
function pick(host: object, data: object): Partial<Host> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== "id" && key in host));
}
