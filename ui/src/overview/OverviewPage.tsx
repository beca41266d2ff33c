import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { overviewText } from "../messages/overview";
import page from "../parts/Page.module.css";
import { useTitle } from "../parts/useTitle";
import { Attention } from "./Attention";
import { FirstRun } from "./FirstRun";
import { HostsPanel } from "./HostsPanel";
import { JobLinesPanel } from "./JobLinesPanel";
import { NextPanel } from "./NextPanel";
import styles from "./OverviewPage.module.css";
import { QueuePanel } from "./QueuePanel";

/** The charts load after the panels. */
const Throughput = lazy(() => import("./Throughput"));

/** Overview: alerts, hosts, queue, running jobs and upcoming runs. */
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
        <NextPanel />
        <JobLinesPanel title={overviewText.running} filter="status:running" none={overviewText.runningNone} />
        <JobLinesPanel
          title={overviewText.recent}
          filter="status:succeeded,failed,dead_letter,canceled"
          none={overviewText.recentNone}
        />
        <Suspense>
          <Throughput />
        </Suspense>
      </div>
    </>
  );
}
