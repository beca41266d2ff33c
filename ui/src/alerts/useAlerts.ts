import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Alert } from "../api/model";
import { useSession } from "../app/session";
import { usePages } from "../parts/usePages";

/** Open and acknowledged alerts. */
export function useOpenAlerts() {
  const { org, api } = useSession();
  return useQuery({
    queryKey: [...keys.alerts(org.slug), "open"],
    queryFn: () => api.alerts("open", undefined),
    refetchInterval: usePollInterval(),
  });
}

export function useAlertHistory() {
  const { org, api } = useSession();
  return usePages<Alert>([...keys.alerts(org.slug), "all"], (cursor) => api.alerts("all", cursor));
}

const WEIGHT = { critical: 0, warning: 1, info: 2 };

/** Sorts by severity, then newest first. */
export function bySeverity(alerts: Alert[]): Alert[] {
  return alerts.toSorted(
    (a, b) => WEIGHT[a.severity] - WEIGHT[b.severity] || Date.parse(b.since) - Date.parse(a.since),
  );
}

/** Number of open alerts that are not acknowledged. */
export function countUrgent(alerts: Alert[] | undefined): number {
  return (alerts ?? []).filter(({ status }) => status === "open").length;
}
