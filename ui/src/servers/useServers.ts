import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { keys } from "../api/keys";
import { onLiveEvent, usePollInterval } from "../api/live";
import type { Server } from "../api/model";
import { serverApi } from "../api/server-api";
import { useSession } from "../app/session";
import { applyServerEvent, isAboutServers, serverEventData } from "./server-patch";

/** Events within this time lead to one refetch. */
const REFETCH_DELAY_MS = 300;

export function useServerApi() {
  const { org } = useSession();
  return useMemo(() => serverApi(org.slug), [org.slug]);
}

/** All servers of the organization, updated by events. */
export function useServers() {
  const { org } = useSession();
  const api = useServerApi();
  useServerEvents();
  return useQuery({
    queryKey: keys.servers(org.slug),
    queryFn: api.servers,
    refetchInterval: usePollInterval(),
  });
}

/** One server, by name or ID. */
export function useServer(name: string) {
  const { org } = useSession();
  const api = useServerApi();
  useServerEvents();
  return useQuery({
    queryKey: keys.server(org.slug, name),
    queryFn: () => api.server(name),
    refetchInterval: usePollInterval(),
  });
}

/** Applies server events to the cache immediately; the refetch that follows loads the remaining fields. */
function useServerEvents(): void {
  const { org } = useSession();
  const client = useQueryClient();
  useEffect(() => {
    const queryKey = keys.servers(org.slug);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onLiveEvent((event) => {
      if (!isAboutServers(event)) return;
      const change = serverEventData(event);
      if (change) {
        const patch = (server: Server) => applyServerEvent(server, change, event.at);
        client.setQueryData<Server[]>(queryKey, (old) => old?.map(patch));
        client.setQueriesData<Server>({ queryKey, predicate: isOne }, (old) => old && patch(old));
      }
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey });
      }, REFETCH_DELAY_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, org.slug]);
}

/** Matches `["org", slug, "servers", name]`; deeper keys are about runs. */
function isOne({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey.length === 4;
}

/** Updates the cache after a server was changed. */
export function useServerChange() {
  const { org } = useSession();
  const client = useQueryClient();
  return (server: Server) => {
    client.setQueryData(keys.server(org.slug, server.name), server);
    void client.invalidateQueries({ queryKey: keys.servers(org.slug) });
  };
}
