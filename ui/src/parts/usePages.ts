import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { usePollInterval } from "../api/live";
import type { Page } from "../api/model";

/** A paged list, newest first, with polling. */
export function usePages<T>(queryKey: readonly string[], read: (cursor?: string) => Promise<Page<T>>) {
  return useInfiniteQuery<Page<T>, Error, InfiniteData<Page<T>>, readonly string[], string | undefined>({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    refetchInterval: usePollInterval(),
  });
}
