import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";

/** Beyond this people do not count any more. */
const COUNTED_MAX = 100;

/** How many jobs match, as far as it is worth counting; nothing before the hub has said so. */
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
