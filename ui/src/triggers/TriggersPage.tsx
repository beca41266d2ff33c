import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { triggerText } from "../messages/triggers";
import { OutsideTabs } from "../outside/OutsideTabs";
import { EmptyState } from "../parts/EmptyState";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { Segments } from "../parts/Segments";
import { useTitle } from "../parts/useTitle";
import { TriggerTable } from "./TriggerTable";

const route = getRouteApi("/frame/triggers");

export function TriggersPage() {
  useTitle(triggerText.title);
  const { org, api, role } = useSession();
  const { kind } = route.useSearch();
  const navigate = route.useNavigate();
  const go = useNavigate();
  const triggers = useQuery({
    queryKey: keys.triggers(org.slug),
    queryFn: api.triggers,
    refetchInterval: usePollInterval(),
  });
  return (
    <>
      <div className={page.head}>
        <h1>{triggerText.title}</h1>
        <OutsideTabs />
        <Segments
          label={triggerText.kinds}
          value={kind ?? "all"}
          onChange={(next) =>
            void navigate({
              search: ({ kind: _, ...old }) => (next === "all" ? old : { ...old, kind: next }),
              replace: true,
            })
          }
          choices={[
            { value: "all", label: triggerText.all },
            { value: "schedule", label: triggerText.schedules },
            { value: "event", label: triggerText.events },
          ]}
        />
        <GatedButton
          refused={refusal(role, "admin")}
          leftSection={<Icon name="plus" />}
          onClick={() => void go({ to: "/triggers/new" })}
        >
          {triggerText.create}
        </GatedButton>
      </div>
      <QueryState query={triggers}>
        {({ items }) => {
          const shown = items.filter(({ trigger_type }) => !kind || trigger_type === kind);
          if (items.length === 0) {
            return (
              <EmptyState title={triggerText.none}>
                <p>{triggerText.noneHint}</p>
                <code>{triggerText.noneCli}</code>
              </EmptyState>
            );
          }
          return shown.length === 0 ? (
            <EmptyState title={triggerText.noneOfKind} />
          ) : (
            <TriggerTable triggers={shown} />
          );
        }}
      </QueryState>
    </>
  );
}
