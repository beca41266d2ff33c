import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Alert } from "../api/model";
import { useSession } from "../app/session";
import { alertText } from "../messages/alerts";
import { Icon } from "../parts/Icon";
import styles from "./AlertsPage.module.css";
import { latestDeliveries } from "./alert-deliveries";

const words = alertText.deliveries;

/** Channels that received a notification about an alert. */
export function AlertDeliveries({ alert }: { alert: Alert }) {
  const { org, api } = useSession();
  const { data } = useQuery({
    queryKey: [...keys.notices(org.slug), "last"],
    queryFn: () => api.notices(),
    refetchInterval: usePollInterval(),
  });
  const sent = latestDeliveries(alert, data?.items ?? []);
  return sent.map(({ channel, status, tries, error }) => (
    <span key={channel} className={styles.delivery} data-status={status} title={error}>
      <Icon name={status === "sent" ? "check" : status === "due" && !error ? "clock" : "close"} />
      {channel}
      <span className={status === "sent" ? "sr-only" : undefined}>
        {status === "due" && tries > 0 ? words.retried(tries) : words.statuses[status]}
      </span>
    </span>
  ));
}
