import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { bySeverity, useOpenAlerts } from "../alerts/useAlerts";
import { overviewText } from "../messages/overview";
import { ErrorBox, worthSaying } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import styles from "./Attention.module.css";

const AttentionRows = lazy(() => import("./AttentionRows"));
const SHOWN = 5;

/** Open alerts by severity, with actions. */
export function Attention() {
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
          <AttentionRows alerts={open.slice(0, SHOWN)} />
        </Suspense>
      )}
      {open.length > SHOWN && (
        <Link to="/alerts" className={styles.more}>
          {overviewText.moreAlerts(open.length - SHOWN)}
        </Link>
      )}
    </section>
  );
}
