import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { Alert } from "../api/model";
import { text } from "../messages";
import { alertText } from "../messages/alerts";
import { EmptyState } from "../parts/EmptyState";
import { ErrorBox, worthSaying } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Segments } from "../parts/Segments";
import { Skeleton } from "../parts/Skeleton";
import table from "../parts/Table.module.css";
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
  const rows = alerts.data?.items.filter(({ status }) => (status === "acked") === (view === "acked"));
  return (
    <Rows
      rows={rows && bySeverity(rows)}
      view={view}
      error={alerts.error}
      onRetry={() => void alerts.refetch()}
    />
  );
}

function History({ view }: { view: "resolved" | "all" }) {
  const alerts = useAlertHistory();
  const rows = alerts.data?.pages
    .flatMap(({ items }) => items)
    .filter(({ status }) => view === "all" || status === "resolved");
  return (
    <>
      <Rows rows={rows} view={view} error={alerts.error} onRetry={() => void alerts.refetch()} />
      {alerts.hasNextPage && (
        <div className={table.more}>
          <Button
            variant="default"
            loading={alerts.isFetchingNextPage}
            onClick={() => void alerts.fetchNextPage()}
          >
            {text.common.more}
          </Button>
        </div>
      )}
    </>
  );
}

interface RowsProps {
  rows: Alert[] | undefined;
  view: AlertView;
  error: Error | null;
  onRetry: () => void;
}

function Rows({ rows, view, error, onRetry }: RowsProps) {
  const said = worthSaying(error, rows !== undefined);
  return (
    <>
      {said && (
        <div className={page.notice}>
          <ErrorBox error={said} onRetry={onRetry} />
        </div>
      )}
      {!rows && !said && <Skeleton />}
      {rows?.length === 0 && (
        <EmptyState title={alertText.none[view]}>
          <p>{alertText.noneHint}</p>
        </EmptyState>
      )}
      {rows && rows.length > 0 && <AlertList alerts={rows} />}
    </>
  );
}
