import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { bySeverity, useOpenAlerts } from "../alerts/useAlerts";
import { overviewText } from "../messages/overview";
import { ErrorBox, worthSaying } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import { useTitle } from "../parts/useTitle";
import { FirstRun } from "./FirstRun";
import { HostsPanel } from "./HostsPanel";
import { JobLinesPanel } from "./JobLinesPanel";
import { NextPanel } from "./NextPanel";
import styles from "./OverviewPage.module.css";
import { QueuePanel } from "./QueuePanel";

/** Charts come after what people begin with. */
const Throughput = lazy(() => import("./Throughput"));
const AlertList = lazy(() => import("../alerts/AlertList"));
const ALERTS_SHOWN = 5;

/** Whether anything is wrong, what runs, and what comes. */
export function OverviewPage() {
  useTitle(overviewText.title);
  return (
    <>
      <div className={page.head}>
        <h1>{overviewText.title}</h1>
        <Link to="/wall" className={styles.wall}>
          {overviewText.wall}
        </Link>
      </div>
      <FirstRun />
      <Attention />
      <div className={styles.panels}>
        <QueuePanel />
        <HostsPanel />
        <JobLinesPanel title={overviewText.running} filter="status:running" none={overviewText.runningNone} />
        <NextPanel />
        <JobLinesPanel
          title={overviewText.recent}
          filter="status:succeeded,failed,dead_letter,canceled"
          none={overviewText.recentNone}
          isWide
        />
        <Suspense>
          <Throughput />
        </Suspense>
      </div>
    </>
  );
}

function Attention() {
  const alerts = useOpenAlerts();
  const open = bySeverity((alerts.data?.items ?? []).filter(({ status }) => status === "open"));
  const error = worthSaying(alerts.error, alerts.data !== undefined);
  if (error) {
    return (
      <div className={page.notice}>
        <ErrorBox error={error} onRetry={() => void alerts.refetch()} />
      </div>
    );
  }
  if (!alerts.data) return <Skeleton rows={2} />;
  return (
    <section
      className={styles.attention}
      data-fine={open.length === 0 || undefined}
      aria-labelledby="attention"
    >
      <h2 id="attention">{open.length === 0 ? overviewText.fine : overviewText.needsYou(open.length)}</h2>
      {open.length === 0 && <p className="dim">{overviewText.fineHint}</p>}
      {open.length > 0 && (
        <Suspense fallback={<Skeleton rows={2} />}>
          <AlertList alerts={open.slice(0, ALERTS_SHOWN)} />
        </Suspense>
      )}
      {open.length > ALERTS_SHOWN && (
        <Link to="/alerts" className={styles.more}>
          {overviewText.moreAlerts(open.length - ALERTS_SHOWN)}
        </Link>
      )}
    </section>
  );
}
