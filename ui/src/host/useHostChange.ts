import { useQueryClient } from "@tanstack/react-query";
import { keys } from "../api/keys";
import type { HostDetail } from "../api/model";
import { useSession } from "../app/session";

/** Updates the cache after a host was changed. */
export function useHostChange() {
  const { org } = useSession();
  const client = useQueryClient();
  return (host: HostDetail) => {
    client.setQueryData(keys.host(org.slug, host.name), host);
    void client.invalidateQueries({ queryKey: keys.hosts(org.slug) });
    void client.invalidateQueries({ queryKey: keys.status(org.slug) });
  };
}
