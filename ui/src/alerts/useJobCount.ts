import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";

/** Larger counts are shown as "100+". */
const COUNTED_MAX = 100;

/** Number of matching jobs, up to `COUNTED_MAX`; `undefined` until loaded. */
export function useJobCount(filter: string | undefined): { count: number; isMore: boolean } | undefined {
  const { org, api } = useSession();
  const { data } = useQuery({
    queryKey: [...keys.jobSummary(org.slug), "count", filter],
    queryFn: ({ signal }) => api.jobs({ filter, limit: COUNTED_MAX }, signal),
    refetchInterval: usePollInterval(),
    enabled: filter !== undefined,
  });
  return data && { count: data.items.length, isMore: Boolean(data.next) };
}
