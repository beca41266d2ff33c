import { queryOptions } from "@tanstack/react-query";
import { setHubTime } from "../time/clock";
import { api } from "./api";
import { keys } from "./keys";

const EVERY_MS = 600_000;

/** Who the hub is. Each answer also sets the page's clock, so that "3 s ago" is right on a machine whose clock is not. */
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
