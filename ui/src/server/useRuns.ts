import { keys } from "../api/keys";
import type { Server, ServerRun } from "../api/model";
import { useSession } from "../app/session";
import { usePages } from "../parts/usePages";
import { useServerApi } from "../servers/useServers";

/** Runs of a server, newest first, page by page. Refetched with every server event. */
export function useRuns(server: Pick<Server, "id">) {
  const { org } = useSession();
  const api = useServerApi();
  return usePages<ServerRun>([...keys.server(org.slug, server.id), "runs"], (cursor) =>
    api.runs(server.id, cursor),
  );
}
