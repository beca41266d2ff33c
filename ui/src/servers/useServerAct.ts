import { useQueryClient } from "@tanstack/react-query";
import { keys } from "../api/keys";
import type { Server, ServerAct } from "../api/model";
import { useSession } from "../app/session";
import { setAsked } from "./asked";
import { useServerApi } from "./useServers";

/** Requests an action on a server and records its job for display. */
export function useServerAct(server: Server) {
  const { org } = useSession();
  const api = useServerApi();
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: keys.servers(org.slug) });
  return {
    ask: async (act: ServerAct) => {
      const { id } = await api.act(server.id, act);
      if (id) setAsked(server.id, id);
      refresh();
    },
    kill: async () => {
      await api.kill(server.id);
      refresh();
    },
  };
}
