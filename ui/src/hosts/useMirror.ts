import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { hostText } from "../messages/host";

/** It changes about never. */
const FRESH_MS = 300_000;

/** Why what belongs to a host is only shown here: its work comes from another hub. Nothing if it does not. */
export function useMirror(host: string | null | undefined): string | undefined {
  const { org, api } = useSession();
  const { data } = useQuery({
    queryKey: keys.host(org.slug, host ?? ""),
    queryFn: () => api.host(host ?? ""),
    enabled: Boolean(host),
    staleTime: FRESH_MS,
  });
  return data?.home ? hostText.host.mirror(data.home) : undefined;
}
