import { useQueryClient } from "@tanstack/react-query";
import { keys } from "../api/keys";
import type { Server, ServerAction } from "../api/model";
import { useSession } from "../app/session";
import { setRequestedJob } from "./requested-jobs";
import { useServerApi } from "./useServers";

/** Requests an action on a server and records its job for display. */
export function useServerAction(server: Server) {
  const { org } = useSession();
  const api = useServerApi();
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: keys.servers(org.slug) });
  return {
    request: async (action: ServerAction) => {
      const { id } = await api.control(server.id, action);
      if (id) setRequestedJob(server.id, id);
      refresh();
    },
    kill: async () => {
      await api.kill(server.id);
      refresh();
    },
  };
}
