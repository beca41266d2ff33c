import { lazy, Suspense, useMemo } from "react";
import type { Trigger } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { BulkActions } from "../bulk/BulkActions";
import { NoRowsOfHost } from "../hosts/NoRowsOfHost";
import { useHostFilter } from "../hosts/useHostFilter";
import { bulkText } from "../messages/bulk";
import { triggerText } from "../messages/triggers";
import { EmptyState } from "../parts/EmptyState";
import { Skeleton } from "../parts/Skeleton";
import { useSelection } from "../parts/useSelection";
import type { CalendarSpan } from "./calendar";
import { TriggerTable } from "./TriggerTable";

const TriggerCalendar = lazy(() => import("./TriggerCalendar"));
const TriggersBulkDialog = lazy(() => import("./TriggersBulkDialog"));

interface Props {
  triggers: Trigger[];
  kind?: Trigger["trigger_type"];
  view?: CalendarSpan;
}

/** Triggers that match the filter in the URL. */
export function TriggerRows({ triggers, kind, view }: Props) {
  const { host, matchesHost, clear } = useHostFilter();
  const rows = triggers
    .filter(({ trigger_type }) => view || !kind || trigger_type === kind)
    .filter(({ target }) => matchesHost(target?.host));
  if (rows.length === 0) {
    return host ? (
      <NoRowsOfHost host={host} onClear={clear} />
    ) : (
      <EmptyState title={triggerText.noneOfKind} />
    );
  }
  if (view) {
    return (
      <Suspense fallback={<Skeleton />}>
        <TriggerCalendar triggers={rows} span={view} />
      </Suspense>
    );
  }
  return <SelectableTriggers triggers={rows} />;
}

function SelectableTriggers({ triggers }: { triggers: Trigger[] }) {
  const { role } = useSession();
  // Triggers created on a host cannot be changed here, so they are not selectable.
  const hubTriggers = useMemo(() => triggers.filter(({ is_hosts_own }) => !is_hosts_own), [triggers]);
  const selection = useSelection(useMemo(() => hubTriggers.map(({ id }) => id), [hubTriggers]));
  return (
    <>
      <TriggerTable triggers={triggers} selection={selection} />
      <BulkActions
        selection={selection}
        rows={hubTriggers.map(({ id, label }) => ({ id, name: label }))}
        actions={bulkText.triggers.actions}
        refused={() => refusal(role, "admin")}
        dialog={(props) => <TriggersBulkDialog {...props} />}
      />
    </>
  );
}
