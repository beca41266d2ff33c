import { useEffect } from "react";
import type { HostDetail } from "../api/model";
import { scheduleText } from "../messages/host-schedules";
import { useNow } from "../time/clock";
import { relative } from "../time/format";
import styles from "./HostPage.module.css";
import { useHostSchedules } from "./useHostSchedules";

/** For a host that came back: the time of the check for missed runs, then its result. */
export function CatchUpLine({ host }: { host: HostDetail }) {
  const hasReturned = !host.always_on && (host.status === "online" || host.status === "degraded");
  const { data, refetch } = useHostSchedules(host.name, hasReturned);
  const now = useNow();
  const due = data?.catch_up ? Date.parse(data.catch_up.at) : 0;
  const isWaiting = due > now;
  // Refetches when the check is due, independent of the poll interval.
  useEffect(() => {
    if (isWaiting) return () => void refetch();
  }, [isWaiting, refetch]);
  if (!hasReturned || !data?.catch_up || data.items.length === 0) return null;
  if (isWaiting) return <p className={styles.note}>{scheduleText.checking(relative(due, now))}</p>;
  if (data.catch_up.jobs === 0) return null;
  return <p className={styles.note}>{scheduleText.caughtUp(data.catch_up.jobs)}</p>;
}
