import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";

/** How many hosts are in which state, and which runners they have. */
export function useHostStatus() {
  const { org, api } = useSession();
  const { data } = useQuery({
    queryKey: keys.status(org.slug),
    queryFn: api.status,
    refetchInterval: usePollInterval(),
  });
  const counts = data?.hosts ?? {};
  return {
    counts,
    total: data && Object.values(counts).reduce((sum, n) => sum + n, 0),
    /** The hub's own is one too: a runner older than it is to be updated. */
    runnerVersions: data ? [data.hub_version, ...Object.keys(data.runner_versions)] : [],
  };
}
