import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { triggerText } from "../messages/triggers";
import { EmptyState } from "../parts/EmptyState";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { useTitle } from "../parts/useTitle";
import { TriggerBar } from "./TriggerBar";
import { TriggerRows } from "./TriggerRows";
import { TriggersTabs } from "./TriggersTabs";

const ImportDialog = lazy(() => import("./ImportDialog"));
const route = getRouteApi("/frame/triggers");

export function TriggersPage() {
  useTitle(triggerText.title);
  const { org, api, role } = useSession();
  const search = route.useSearch();
  const go = useNavigate();
  const [isImporting, setImporting] = useState(false);
  const triggers = useQuery({
    queryKey: keys.triggers(org.slug),
    queryFn: api.triggers,
    refetchInterval: usePollInterval(),
  });
  const refused = refusal(role, "admin");
  return (
    <>
      <div className={page.head}>
        <h1>{triggerText.title}</h1>
        <TriggersTabs />
        <GatedButton variant="default" refused={refused} onClick={() => setImporting(true)}>
          {triggerText.importButton}
        </GatedButton>
        <GatedButton
          refused={refused}
          data-create
          leftSection={<Icon name="plus" />}
          onClick={() => void go({ to: "/triggers/new" })}
        >
          {triggerText.create}
        </GatedButton>
      </div>
      <TriggerBar />
      <QueryState query={triggers}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              title={triggerText.none}
              hint={triggerText.noneHint}
              cli={triggerText.noneCli}
              action={
                <GatedButton
                  variant="default"
                  refused={refused}
                  onClick={() => void go({ to: "/triggers/new" })}
                >
                  {triggerText.noneAdd}
                </GatedButton>
              }
            />
          ) : (
            <TriggerRows triggers={items} {...search} />
          )
        }
      </QueryState>
      {isImporting && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  );
}
