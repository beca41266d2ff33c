import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Server } from "../api/model";
import { useSession } from "../app/session";
import { useServerApi } from "../servers/useServers";

/** The last runs of a server, newest first. Asked again with every event about servers. */
export function useRuns(server: Pick<Server, "id">) {
  const { org } = useSession();
  const api = useServerApi();
  return useQuery({
    queryKey: [...keys.server(org.slug, server.id), "runs"],
    queryFn: async () => (await api.runs(server.id)).items,
    refetchInterval: usePollInterval(),
  });
}
