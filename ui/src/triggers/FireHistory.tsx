import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import type { Fire, Trigger } from "../api/model";
import { useSession } from "../app/session";
import { jobTone } from "../jobs/job-status";
import { jobText } from "../messages/jobs";
import { triggerText } from "../messages/triggers";
import { hubNow } from "../time/clock";
import { absolute } from "../time/format";
import { useZoneName } from "../time/zone";
import styles from "./FireHistory.module.css";
import { fireDisplayStatus } from "./state";

const FIRES_MAX = 30;

/** Results of the recent runs of a schedule, oldest first; renders nothing before the first run. */
export function FireHistory({ trigger }: { trigger: Trigger }) {
  const { org, api } = useSession();
  const zone = useZoneName();
  const { data } = useQuery({
    // The last run is part of the query key, so the data is fetched once per run.
    queryKey: [
      ...keys.trigger(org.slug, trigger.id),
      "history",
      trigger.last_fire?.at,
      trigger.last_fire?.job_status,
    ],
    queryFn: () => api.fires(trigger.id, undefined),
    enabled: Boolean(trigger.last_fire),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const fires = data?.items.slice(0, FIRES_MAX).toReversed() ?? [];
  if (fires.length === 0) return null;
  return (
    <span
      className={styles.history}
      role="img"
      aria-label={triggerText.recentRuns(fires.length, failed(fires))}
    >
      {fires.map((fire) => (
        <span
          key={`${fire.nominal_at} ${fire.host ?? ""}`}
          className={styles.fire}
          data-tone={jobTone(fireDisplayStatus(fire.status, fire.job_status))}
          title={`${absolute(Date.parse(fire.nominal_at), zone, hubNow())} · ${statusText(fire)}`}
        />
      ))}
    </span>
  );
}

function failed(fires: Fire[]): number {
  return fires.filter(({ status, job_status }) =>
    ["bad", "dead"].includes(jobTone(fireDisplayStatus(status, job_status))),
  ).length;
}

function statusText({ status, job_status }: Fire): string {
  const job = job_status as keyof typeof jobText.status | null | undefined;
  return status === "fired" && job ? jobText.status[job] : triggerText.fire[status];
}
