import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Trigger } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { FaceMark } from "../jobs/JobMark";
import { triggerText } from "../messages/triggers";
import { DataTable } from "../parts/DataTable";
import { EmptyState } from "../parts/EmptyState";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { Segments } from "../parts/Segments";
import { Toggle } from "../parts/Toggle";
import { useTitle } from "../parts/useTitle";
import { useNow } from "../time/clock";
import { Time } from "../time/Time";
import { fireFace, stateOf, whereOf } from "./state";
import styles from "./TriggersPage.module.css";
import { switched, useReversible } from "./useTriggerChange";

const words = triggerText.columns;
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

export function TriggerTable({ triggers }: { triggers: Trigger[] }) {
  const { role } = useSession();
  const change = useReversible();
  const refused = refusal(role, "admin");
  return (
    <DataTable
      rows={triggers}
      keyOf={({ id }) => id}
      columns={[
        {
          head: words.label,
          cell: (trigger) => (
            <span className={styles.label}>
              <Toggle
                label={triggerText.enable(trigger.label)}
                isOn={trigger.is_enabled}
                refused={trigger.is_hosts_own ? triggerText.hostsOwn : refused}
                onToggle={() => change.mutate(switched(trigger))}
              />
              <Link to="/triggers/$trigger" params={{ trigger: trigger.id }} data-row>
                {trigger.label}
              </Link>
            </span>
          ),
        },
        { head: words.when, cell: (trigger) => <When trigger={trigger} />, isLong: true },
        { head: words.next, cell: (trigger) => <Next trigger={trigger} /> },
        { head: words.last, cell: (trigger) => <Last trigger={trigger} /> },
        { head: words.runs, cell: ({ definition_key }) => definition_key },
        { head: words.where, cell: ({ target }) => <span className="dim">{whereOf(target)}</span> },
      ]}
    />
  );
}

function When({ trigger }: { trigger: Trigger }) {
  const isEvent = trigger.trigger_type === "event";
  return (
    <span className={styles.when}>
      <Icon name={isEvent ? "bolt" : "clock"} />
      <span>
        {isEvent ? triggerText.onEvent(trigger.event_name ?? "") : trigger.description}
        {trigger.timezone && <span className="faint"> · {trigger.timezone}</span>}
      </span>
    </span>
  );
}

function Next({ trigger }: { trigger: Trigger }) {
  const state = stateOf(trigger, useNow());
  if (state === "paused") {
    return (
      <span className="dim">
        {triggerText.pausedUntil} <Time at={trigger.paused_until} />
      </span>
    );
  }
  if (state !== "on") return <span className="faint">{triggerText[state]}</span>;
  return <Time at={trigger.next_fire_at} />;
}

function Last({ trigger }: { trigger: Trigger }) {
  const fire = trigger.last_fire;
  if (!fire) return <span className="faint">{triggerText.never}</span>;
  return (
    <span className={styles.last}>
      <FaceMark face={fireFace(fire.status, fire.job_status)} word={triggerText.fire[fire.status]} />
      <span className="dim">
        <Time at={fire.nominal_at} />
      </span>
    </span>
  );
}
