import { getRouteApi } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import type { Alert } from "../api/model";
import { NoRowsOfHost } from "../hosts/NoRowsOfHost";
import { useHostFilter } from "../hosts/useHostFilter";
import { alertText } from "../messages/alerts";
import { EmptyState } from "../parts/EmptyState";
import { NewRowsButton } from "../parts/NewRowsButton";
import page from "../parts/Page.module.css";
import { PagedRows } from "../parts/PagedRows";
import { Segments } from "../parts/Segments";
import { useHeldRows } from "../parts/useHeldRows";
import { useTitle } from "../parts/useTitle";
import { ViewsMenu } from "../views/ViewsMenu";
import { AlertFilters } from "./AlertFilters";
import AlertList from "./AlertList";
import { AlertsTabs } from "./AlertsTabs";
import type { AlertView } from "./alert-search";
import { bySeverity, useAlertHistory, useOpenAlerts } from "./useAlerts";

const route = getRouteApi("/frame/alerts");
export function AlertsPage() {
  useTitle(alertText.title);
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const view: AlertView = status ?? "open";
  const openAlerts = useOpenAlerts().data?.items ?? [];
  const acked = openAlerts.filter((alert) => alert.status === "acked").length;
  const counts: Partial<Record<AlertView, number>> = { open: openAlerts.length - acked, acked };
  return (
    <>
      <div className={page.head}>
        <h1>{alertText.title}</h1>
        <AlertsTabs />
        <Segments
          label={alertText.states}
          value={view}
          onChange={(next) =>
            void navigate({
              search: ({ status: _, ...old }) => (next === "open" ? old : { ...old, status: next }),
              replace: true,
            })
          }
          choices={(["open", "acked", "resolved", "all"] as const).map((value) => ({
            value,
            label: alertText.stateChoices[value],
            count: counts[value],
          }))}
        />
        <ViewsMenu page="alerts" />
      </div>
      <AlertFilters />
      {view === "open" || view === "acked" ? <CurrentAlerts view={view} /> : <History view={view} />}
    </>
  );
}

function CurrentAlerts({ view }: { view: "open" | "acked" }) {
  const alerts = useOpenAlerts();
  const alertFilter = useAlertFilter();
  return (
    <QueryState query={alerts}>
      {({ items }) => {
        const rows = items
          .filter(({ status }) => (status === "acked") === (view === "acked"))
          .filter(alertFilter.keep);
        return rows.length === 0 ? (
          <NoAlerts view={view} alertFilter={alertFilter} />
        ) : (
          <HeldAlertList alerts={bySeverity(rows)} />
        );
      }}
    </QueryState>
  );
}

/** Holds back new alerts while the user has scrolled down. */
function HeldAlertList({ alerts }: { alerts: Alert[] }) {
  const { shown: visibleAlerts, newCount } = useHeldRows(alerts);
  return (
    <>
      <NewRowsButton count={newCount} />
      <AlertList alerts={visibleAlerts} />
    </>
  );
}

function History({ view }: { view: "resolved" | "all" }) {
  const alertFilter = useAlertFilter();
  return (
    <PagedRows
      query={useAlertHistory()}
      none={<NoAlerts view={view} alertFilter={alertFilter} />}
      keep={(alert) => (view === "all" || alert.status === "resolved") && alertFilter.keep(alert)}
    >
      {(rows) => <AlertList alerts={rows} />}
    </PagedRows>
  );
}

type AlertFilter = ReturnType<typeof useAlertFilter>;

/** Predicate for the filter and the host chosen in the header: alerts on this host or about it. */
function useAlertFilter() {
  const { host, matchesHost, clear } = useHostFilter();
  const filter = route.useSearch();
  const keep = ({ host_id, subject_kind, subject_name, kind, severity }: Alert) =>
    (matchesHost(host_id) || (subject_kind === "host" && matchesHost(subject_name))) &&
    (filter.kind ?? kind) === kind &&
    (filter.severity ?? severity) === severity;
  return { host, keep, clear, isFiltered: Boolean(filter.kind ?? filter.severity) };
}

function NoAlerts({ view, alertFilter }: { view: AlertView; alertFilter: AlertFilter }) {
  if (alertFilter.isFiltered) return <EmptyState title={alertText.noMatch} />;
  if (alertFilter.host) return <NoRowsOfHost host={alertFilter.host} onClear={alertFilter.clear} />;
  return (
    <EmptyState title={alertText.none[view]}>
      <p>{alertText.noneHint}</p>
    </EmptyState>
  );
}
