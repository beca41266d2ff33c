import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { usePaused } from "../api/live-pause";
import { useSession } from "../app/session";
import { countNew } from "./new-rows";

const PAGE_SIZE = 100;

/**
 * Matching jobs, newest first, page by page. While `isReading`, the rows stay unchanged, and new jobs are only counted.
 */
export function useJobs(filter: string | undefined, isReading: boolean) {
  const { org, api } = useSession();
  const poll = usePollInterval();
  const isPaused = usePaused();
  const query = useInfiniteQuery({
    queryKey: [...keys.jobs(org.slug), { filter }],
    queryFn: ({ pageParam, signal }) => api.jobs({ filter, cursor: pageParam, limit: PAGE_SIZE }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: poll,
    // A new filter has no rows yet, so its first page loads even while the user is reading.
    enabled: ({ state }) => !isReading || state.data === undefined,
  });
  const head = useQuery({
    queryKey: [...keys.jobHead(org.slug), { filter }],
    queryFn: ({ signal }) => api.jobs({ filter, limit: PAGE_SIZE }, signal),
    refetchInterval: poll,
    enabled: isReading && !isPaused,
  });
  const jobs = query.data?.pages.flatMap((page) => page.items);
  return {
    jobs,
    isOld: query.isPlaceholderData,
    newCount: isReading ? countNew(head.data?.items ?? [], jobs?.[0]?.id) : 0,
    pageSize: PAGE_SIZE,
    searched: query.data?.pages.reduce((sum, page) => sum + page.searched, 0) ?? 0,
    error: query.error,
    refetch: () => void query.refetch(),
    hasMore: query.hasNextPage,
    more: () => void query.fetchNextPage(),
    isLoadingMore: query.isFetchingNextPage,
  };
}

export function useJobSummary() {
  const { org, api } = useSession();
  return useQuery({
    queryKey: keys.jobSummary(org.slug),
    queryFn: api.jobSummary,
    refetchInterval: usePollInterval(),
  }).data;
}
