import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";

const FILTER = "status:queued reason:host_offline,host_asleep,host_paused";
/** Above this number of jobs, the counts are lower bounds. */
const COUNTED_MAX = 200;
const NONE: ReadonlyMap<string, number> = new Map();

/** Number of waiting jobs by host name. */
export function useWaiting(): ReadonlyMap<string, number> {
  const { org, api } = useSession();
  const { data } = useQuery({
    queryKey: [...keys.jobSummary(org.slug), "waiting"],
    queryFn: ({ signal }) => api.jobs({ filter: FILTER, limit: COUNTED_MAX }, signal),
    refetchInterval: usePollInterval(),
    select: ({ items }) => {
      const counts = new Map<string, number>();
      for (const { host } of items) if (host) counts.set(host, (counts.get(host) ?? 0) + 1);
      return counts as ReadonlyMap<string, number>;
    },
  });
  return data ?? NONE;
}
