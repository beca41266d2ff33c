import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";

/** Host counts by status, and runner versions. */
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
    /** Includes the version of the hub, because runners older than the hub need an update. */
    runnerVersions: data ? [data.hub_version, ...Object.keys(data.runner_versions)] : [],
  };
}
