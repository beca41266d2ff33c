import { lazy, Suspense, useMemo } from "react";
import type { Trigger } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { BulkActs } from "../bulk/BulkActs";
import { NothingOfHost } from "../hosts/NothingOfHost";
import { useHostFilter } from "../hosts/useHostFilter";
import { bulkText } from "../messages/bulk";
import { triggerText } from "../messages/triggers";
import { EmptyState } from "../parts/EmptyState";
import { Skeleton } from "../parts/Skeleton";
import { useSelection } from "../parts/useSelection";
import type { Span } from "./calendar";
import { TriggerTable } from "./TriggerTable";

const TriggerCalendar = lazy(() => import("./TriggerCalendar"));
const TriggersBulkDialog = lazy(() => import("./TriggersBulkDialog"));

interface Props {
  triggers: Trigger[];
  kind?: Trigger["trigger_type"];
  view?: Span;
}

/** Triggers that match the filter in the URL. */
export function TriggerRows({ triggers, kind, view }: Props) {
  const { host, isAbout, clear } = useHostFilter();
  const shown = triggers
    .filter(({ trigger_type }) => view || !kind || trigger_type === kind)
    .filter(({ target }) => isAbout(target?.host));
  if (shown.length === 0) {
    return host ? (
      <NothingOfHost host={host} onClear={clear} />
    ) : (
      <EmptyState title={triggerText.noneOfKind} />
    );
  }
  if (view) {
    return (
      <Suspense fallback={<Skeleton />}>
        <TriggerCalendar triggers={shown} span={view} />
      </Suspense>
    );
  }
  return <Chosen triggers={shown} />;
}

function Chosen({ triggers }: { triggers: Trigger[] }) {
  const { role } = useSession();
  // Triggers created on a host cannot be changed here, so they are not selectable.
  const own = useMemo(() => triggers.filter(({ is_hosts_own }) => !is_hosts_own), [triggers]);
  const selection = useSelection(useMemo(() => own.map(({ id }) => id), [own]));
  return (
    <>
      <TriggerTable triggers={triggers} selection={selection} />
      <BulkActs
        selection={selection}
        rows={own.map(({ id, label }) => ({ id, name: label }))}
        acts={bulkText.triggers.acts}
        refused={() => refusal(role, "admin")}
        dialog={(props) => <TriggersBulkDialog {...props} />}
      />
    </>
  );
}
