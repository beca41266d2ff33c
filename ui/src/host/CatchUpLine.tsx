import { useEffect } from "react";
import type { HostDetail } from "../api/model";
import { scheduleText } from "../messages/host-schedules";
import { useNow } from "../time/clock";
import { relative } from "../time/format";
import styles from "./HostPage.module.css";
import { useHostSchedules } from "./useHostSchedules";

/** For a machine that came back: when its missed runs are looked for, and what came of it. */
export function CatchUpLine({ host }: { host: HostDetail }) {
  const isBack = !host.always_on && (host.status === "online" || host.status === "degraded");
  const { data, refetch } = useHostSchedules(host.name, isBack);
  const now = useNow();
  const due = data?.catch_up ? Date.parse(data.catch_up.at) : 0;
  const isWaiting = due > now;
  // What comes of it is known a moment after it was due, whatever the pace of the page.
  useEffect(() => {
    if (isWaiting) return () => void refetch();
  }, [isWaiting, refetch]);
  if (!isBack || !data?.catch_up || data.items.length === 0) return null;
  if (isWaiting) return <p className={styles.note}>{scheduleText.checking(relative(due, now))}</p>;
  if (data.catch_up.jobs === 0) return null;
  return <p className={styles.note}>{scheduleText.caughtUp(data.catch_up.jobs)}</p>;
}
