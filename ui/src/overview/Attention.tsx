import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { bySeverity, useOpenAlerts } from "../alerts/useAlerts";
import { overviewText } from "../messages/overview";
import { ErrorBox, errorToShow } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import styles from "./Attention.module.css";

const AttentionRows = lazy(() => import("./AttentionRows"));
const ALERTS_MAX = 5;

/** Open alerts by severity, with actions. */
export function Attention() {
  const alerts = useOpenAlerts();
  const open = bySeverity((alerts.data?.items ?? []).filter(({ status }) => status === "open"));
  const error = errorToShow(alerts.error, alerts.data !== undefined);
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
      <h2 id="attention">
        {open.length === 0 ? overviewText.allClear : overviewText.needsAttention(open.length)}
      </h2>
      {open.length === 0 && <p className="dim">{overviewText.allClearHint}</p>}
      {open.length > 0 && (
        <Suspense fallback={<Skeleton rows={2} />}>
          <AttentionRows alerts={open.slice(0, ALERTS_MAX)} />
        </Suspense>
      )}
      {open.length > ALERTS_MAX && (
        <Link to="/alerts" className={styles.more}>
          {overviewText.moreAlerts(open.length - ALERTS_MAX)}
        </Link>
      )}
    </section>
  );
}
