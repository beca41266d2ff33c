import { getRouteApi } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import { alertText } from "../messages/alerts";
import { EmptyState } from "../parts/EmptyState";
import page from "../parts/Page.module.css";
import { PagedRows } from "../parts/PagedRows";
import { Segments } from "../parts/Segments";
import { useTitle } from "../parts/useTitle";
import { AlertList } from "./AlertList";
import { AlertsTabs } from "./AlertsTabs";
import { bySeverity, useAlertHistory, useOpenAlerts } from "./useAlerts";
import type { AlertView } from "./view";

const route = getRouteApi("/frame/alerts");

export function AlertsPage() {
  useTitle(alertText.title);
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const view: AlertView = status ?? "open";
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
          }))}
        />
      </div>
      {view === "open" || view === "acked" ? <Present view={view} /> : <History view={view} />}
    </>
  );
}

function Present({ view }: { view: "open" | "acked" }) {
  const alerts = useOpenAlerts();
  return (
    <QueryState query={alerts}>
      {({ items }) => {
        const rows = items.filter(({ status }) => (status === "acked") === (view === "acked"));
        return rows.length === 0 ? <Nothing view={view} /> : <AlertList alerts={bySeverity(rows)} />;
      }}
    </QueryState>
  );
}

function History({ view }: { view: "resolved" | "all" }) {
  return (
    <PagedRows
      query={useAlertHistory()}
      none={<Nothing view={view} />}
      keep={({ status }) => view === "all" || status === "resolved"}
    >
      {(rows) => <AlertList alerts={rows} />}
    </PagedRows>
  );
}

function Nothing({ view }: { view: AlertView }) {
  return (
    <EmptyState title={alertText.none[view]}>
      <p>{alertText.noneHint}</p>
    </EmptyState>
  );
}
