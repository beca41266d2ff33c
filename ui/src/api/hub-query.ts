import { queryOptions } from "@tanstack/react-query";
import { setHubTime } from "../time/clock";
import { api } from "./api";
import { keys } from "./keys";

const EVERY_MS = 600_000;

/** Identity of the hub. Each response also sets the page's clock, so relative times are right on a skewed machine. */
export const hubQuery = queryOptions({
  queryKey: keys.hub,
  queryFn: async () => {
    const sentAt = Date.now();
    const hub = await api.hub();
    setHubTime(hub.time, sentAt, Date.now());
    return hub;
  },
  staleTime: EVERY_MS,
  refetchInterval: EVERY_MS,
});
