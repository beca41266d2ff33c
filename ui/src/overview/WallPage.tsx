import { useQuery } from "@tanstack/react-query";
import { SeverityMark } from "../alerts/SeverityMark";
import { bySeverity, useOpenAlerts } from "../alerts/useAlerts";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";
import { StatusGlyph } from "../hosts/StatusGlyph";
import { HOST_STATUSES, hostTone } from "../hosts/status";
import { useHostStatus } from "../hosts/useHostStatus";
import { JobGlyph } from "../jobs/JobGlyph";
import { JOB_STATUSES, jobTone } from "../jobs/job-status";
import { useJobSummary } from "../jobs/useJobs";
import { text } from "../messages";
import { alertText } from "../messages/alerts";
import { jobText } from "../messages/jobs";
import { overviewText } from "../messages/overview";
import { useTitle } from "../parts/useTitle";
import { useNow } from "../time/clock";
import { timeOfDay } from "../time/format";
import { Time } from "../time/Time";
import { useZoneName } from "../time/zone";
import { upcoming } from "./upcoming";
import styles from "./WallPage.module.css";

const ALERTS_SHOWN = 6;
const NEXT_SHOWN = 4;

/** Large read-only view for a wall screen. */
export function WallPage() {
  useTitle(overviewText.wall);
  const { org } = useSession();
  const now = useNow();
  const zone = useZoneName();
  return (
    <div className={styles.wall}>
      <header className={styles.head}>
        <h1>{org.name}</h1>
        <time className="num">{timeOfDay(now, zone).slice(0, 5)}</time>
      </header>
      <Alerts />
      <div className={styles.numbers}>
        <Hosts />
        <Jobs />
        <Next />
      </div>
    </div>
  );
}

function Alerts() {
  const open = bySeverity((useOpenAlerts().data?.items ?? []).filter(({ status }) => status === "open"));
  return (
    <section aria-label={overviewText.wallAlerts}>
      <h2 className={styles.verdict} data-fine={open.length === 0 || undefined}>
        {open.length === 0 ? overviewText.allClear : overviewText.needsAttention(open.length)}
      </h2>
      <ul className={styles.alerts}>
        {open.slice(0, ALERTS_SHOWN).map((alert) => (
          <li key={alert.id} data-severity={alert.severity}>
            <SeverityMark severity={alert.severity} />
            <strong>{alert.subject_name}</strong>
            <span>{alertText.kinds[alert.kind] ?? alert.kind}</span>
            <Time at={alert.since} />
          </li>
        ))}
      </ul>
      {open.length > ALERTS_SHOWN && (
        <p className={styles.rest}>{overviewText.moreAlerts(open.length - ALERTS_SHOWN)}</p>
      )}
    </section>
  );
}

function Hosts() {
  const { counts } = useHostStatus();
  return (
    <section className={styles.group} aria-label={overviewText.wallHosts}>
      <h2>{overviewText.wallHosts}</h2>
      {HOST_STATUSES.filter((status) => counts[status]).map((status) => (
        <p key={status} className={styles.number} data-tone={hostTone(status)}>
          <StatusGlyph status={status} />
          <strong className="num">{counts[status]?.toLocaleString("en")}</strong>
          <span>{text.status[status]}</span>
        </p>
      ))}
    </section>
  );
}

function Jobs() {
  const counts = useJobSummary()?.counts ?? {};
  return (
    <section className={styles.group} aria-label={overviewText.wallJobs}>
      <h2>{overviewText.wallJobs}</h2>
      {JOB_STATUSES.slice(0, 4).map((status) => (
        <p key={status} className={styles.number} data-tone={counts[status] ? jobTone(status) : "quiet"}>
          <JobGlyph status={status} />
          <strong className="num">{(counts[status] ?? 0).toLocaleString("en")}</strong>
          <span>{jobText.status[status]}</span>
        </p>
      ))}
    </section>
  );
}

function Next() {
  const { org, api } = useSession();
  const now = useNow();
  const triggers = useQuery({
    queryKey: keys.triggers(org.slug),
    queryFn: api.triggers,
    refetchInterval: usePollInterval(),
  });
  const { single } = upcoming(triggers.data?.items ?? [], now);
  if (single.length === 0) return null;
  return (
    <section className={styles.next} aria-label={overviewText.next}>
      <h2>{overviewText.next}</h2>
      <ul>
        {single.slice(0, NEXT_SHOWN).map(({ trigger }) => (
          <li key={trigger.id}>
            <strong>{trigger.label}</strong>
            <Time at={trigger.next_fire_at} />
          </li>
        ))}
      </ul>
    </section>
  );
}
