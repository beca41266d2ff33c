import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client";
import { keys } from "../api/keys";
import { isPaused } from "../api/live-pause";

/** Asking again helps when the hub was away, never when it said no. */
function shouldRetry(failures: number, error: Error): boolean {
  const status = error instanceof ApiError ? error.problem.status : 0;
  return (status === 0 || status >= 500) && failures < 2;
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      // The session ended while the page was open: asking who we are leads to the sign-in page.
      if (error instanceof ApiError && error.isSignedOut && query.queryKey[0] !== keys.me[0]) {
        void queryClient.invalidateQueries({ queryKey: keys.me });
      }
    },
  }),
  defaultOptions: {
    // The hub may be on this machine or network: whether there is an internet does not matter.
    queries: {
      retry: shouldRetry,
      staleTime: 2000,
      networkMode: "always",
      refetchOnWindowFocus: () => !isPaused(),
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
