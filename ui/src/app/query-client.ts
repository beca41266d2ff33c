import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client";
import { keys } from "../api/keys";
import { isPaused } from "../api/live-pause";

/** Retries only network and server errors; a rejected request stays rejected. */
function shouldRetry(failures: number, error: Error): boolean {
  const status = error instanceof ApiError ? error.problem.status : 0;
  return (status === 0 || status >= 500) && failures < 2;
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      // The session expired: refetching the current user redirects to the sign-in page.
      if (error instanceof ApiError && error.isSignedOut && query.queryKey[0] !== keys.me[0]) {
        void queryClient.invalidateQueries({ queryKey: keys.me });
      }
    },
  }),
  defaultOptions: {
    // The hub may be local, so requests are sent even if the browser reports no internet connection.
    queries: {
      retry: shouldRetry,
      staleTime: 2000,
      networkMode: "always",
      refetchOnWindowFocus: () => !isPaused(),
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
