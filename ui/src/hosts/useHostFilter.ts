import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { useHostChoice } from "../frame/host-choice";

/** The host chosen in the header. Rows refer to it by name or by ID. */
export function useHostFilter() {
  const { org, api } = useSession();
  const { host, choose } = useHostChoice();
  const found = useQuery({
    queryKey: keys.host(org.slug, host ?? ""),
    queryFn: () => api.host(host ?? ""),
    enabled: host !== undefined,
  });
  return {
    host,
    /** Whether a row with this host name or ID belongs to the chosen host. */
    matchesHost: (named: string | null | undefined) =>
      host === undefined || (named != null && (named === host || named === found.data?.id)),
    clear: () => choose(undefined),
  };
}
