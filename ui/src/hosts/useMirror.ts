import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { hostText } from "../messages/host";

/** The primary hub of a host rarely changes. */
const FRESH_MS = 300_000;

/** Why jobs and triggers of a host are read-only: it has another primary hub. `undefined` if it has none. */
export function useMirror(host: string | null | undefined): string | undefined {
  const { org, api } = useSession();
  const { data } = useQuery({
    queryKey: keys.host(org.slug, host ?? ""),
    queryFn: () => api.host(host ?? ""),
    enabled: Boolean(host),
    staleTime: FRESH_MS,
  });
  return data?.primary_hub ? hostText.host.mirroredObjects(data.primary_hub, data.name) : undefined;
}
