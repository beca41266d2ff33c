import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { MaintenanceWindow } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { creatorName } from "../jobs/creator-name";
import { StatusLabel } from "../jobs/JobMark";
import { alertText } from "../messages/alerts";
import { DataTable } from "../parts/DataTable";
import { GatedButton } from "../parts/GatedButton";
import { ListPage } from "../parts/ListPage";
import { useTitle } from "../parts/useTitle";
import { duration } from "../time/format";
import { Time } from "../time/Time";
import { AlertsTabs } from "./AlertsTabs";

const WindowDialog = lazy(() => import("./WindowDialog"));
const words = alertText.window;

export function WindowsPage() {
  useTitle(alertText.windows);
  const { org, api, role } = useSession();
  const windows = useQuery({
    queryKey: keys.windows(org.slug),
    queryFn: api.windows,
    refetchInterval: usePollInterval(),
  });
  const refused = refusal(role, "operator");
  return (
    <ListPage
      title={alertText.title}
      tabs={<AlertsTabs />}
      add={words.add}
      refused={refused}
      query={windows}
      none={words}
      dialog={(_, onClose) => <WindowDialog onClose={onClose} />}
      removal={(row) => ({
        title: words.removeTitle(row.label),
        effect: words.removeEffect,
        submit: words.removeDo,
        doneText: words.removed(row.label),
        list: keys.windows(org.slug),
        remove: () => api.removeWindow(row.id),
      })}
    >
      {(items, { remove }) => (
        <DataTable
          rows={items}
          keyOf={({ id }) => id}
          columns={[
            { head: words.label, cell: ({ label }) => label },
            {
              head: words.state,
              cell: ({ is_active }) => (
                <StatusLabel
                  status={is_active ? "running" : "scheduled"}
                  label={is_active ? words.active : words.waiting}
                />
              ),
            },
            { head: words.when, cell: (window) => <When window={window} />, isLong: true },
            { head: words.scope, cell: (window) => <span className="dim">{scopeOf(window)}</span> },
            { head: words.by, cell: ({ created_by }) => creatorName(created_by) },
          ]}
          actions={(window) => (
            <GatedButton variant="default" refused={refused} onClick={() => remove(window)}>
              {words.remove}
            </GatedButton>
          )}
        />
      )}
    </ListPage>
  );
}

function When({ window }: { window: MaintenanceWindow }) {
  if (window.cron_expr) {
    return (
      <>
        {words.cronFor(window.cron_expr, duration((window.duration_seconds ?? 0) * 1000))}
        <span className="faint"> · {window.timezone}</span>
      </>
    );
  }
  return (
    <>
      <Time at={window.starts_at} exact /> {words.until} <Time at={window.ends_at} exact />
    </>
  );
}

function scopeOf({ host, selector, subject, kinds }: MaintenanceWindow): string {
  const what = host ?? selector ?? subject ?? words.everything;
  return kinds.length > 0
    ? `${what} (${kinds.map((kind) => alertText.kinds[kind] ?? kind).join(", ")})`
    : what;
}
