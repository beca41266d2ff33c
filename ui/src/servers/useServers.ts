import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { keys } from "../api/keys";
import { onLiveEvent, usePollInterval } from "../api/live";
import type { Server } from "../api/model";
import { serverApi } from "../api/server-api";
import { useSession } from "../app/session";
import { isAboutServers, newsOf, patched } from "./server-patch";

/** Many events at once lead to one refetch. */
const GATHER_MS = 300;

export function useServerApi() {
  const { org } = useSession();
  return useMemo(() => serverApi(org.slug), [org.slug]);
}

/** All servers of the org, moving as events say. */
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

/** One server, by name or id. */
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

/** Shows at once what an event says; the refetch that follows knows the rest. */
function useServerEvents(): void {
  const { org } = useSession();
  const client = useQueryClient();
  useEffect(() => {
    const queryKey = keys.servers(org.slug);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onLiveEvent((event) => {
      if (!isAboutServers(event)) return;
      const news = newsOf(event);
      if (news) {
        const patch = (server: Server) => patched(server, news, event.at);
        client.setQueryData<Server[]>(queryKey, (old) => old?.map(patch));
        client.setQueriesData<Server>({ queryKey, predicate: isOne }, (old) => old && patch(old));
      }
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey });
      }, GATHER_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, org.slug]);
}

/** `["org", slug, "servers", name]`: what lies deeper is about its runs. */
function isOne({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey.length === 4;
}

/** Puts a changed server where it is shown. */
export function useServerChange() {
  const { org } = useSession();
  const client = useQueryClient();
  return (server: Server) => {
    client.setQueryData(keys.server(org.slug, server.name), server);
    void client.invalidateQueries({ queryKey: keys.servers(org.slug) });
  };
}
