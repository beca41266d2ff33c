import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";
import type { HostFilter } from "./filter";

const PAGE_SIZE = 200;

/** Matching hosts, page by page. Shown rows stay while a new page loads. */
export function useHosts({ status, labels, name }: HostFilter) {
  const { org, api } = useSession();
  const query = useInfiniteQuery({
    queryKey: [...keys.hosts(org.slug), { status, labels, name }],
    queryFn: ({ pageParam, signal }) =>
      api.hosts({ status, labels, name, cursor: pageParam, limit: PAGE_SIZE }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(),
  });
  return {
    data: query.data?.pages.flatMap((page) => page.items),
    error: query.error,
    refetch: () => void query.refetch(),
    hasMore: query.hasNextPage,
    more: () => void query.fetchNextPage(),
    isLoadingMore: query.isFetchingNextPage,
  };
}
