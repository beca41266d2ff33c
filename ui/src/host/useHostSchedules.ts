import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";

/** Loads the schedules of a host and its pending catch-up. */
export function useHostSchedules(name: string, isEnabled = true) {
  const { org, api } = useSession();
  return useQuery({
    queryKey: keys.hostSchedules(org.slug, name),
    queryFn: () => api.hostSchedules(name),
    refetchInterval: usePollInterval(),
    enabled: isEnabled,
  });
}
