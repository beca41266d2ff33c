import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Trigger } from "../api/model";
import { useSession } from "../app/session";
import host from "../host/HostPage.module.css";
import { useMirror } from "../hosts/useMirror";
import { creatorName } from "../jobs/creator-name";
import { StatusLabel } from "../jobs/JobMark";
import { notFoundText } from "../messages/not-found";
import { triggerText } from "../messages/triggers";
import { Breadcrumb } from "../parts/Breadcrumb";
import { writeJson } from "../parts/json";
import { isNotFound, NotFound } from "../parts/NotFound";
import page from "../parts/Page.module.css";
import { DetailList, Panel } from "../parts/Panel";
import { useTitle } from "../parts/useTitle";
import { useNow } from "../time/clock";
import { duration } from "../time/format";
import { Time } from "../time/Time";
import { FireTable } from "./FireTable";
import { NextRuns } from "./NextRuns";
import { stateOf, targetText } from "./state";
import { TestPanel } from "./TestPanel";
import { TriggerActions } from "./TriggerActions";
import styles from "./TriggersPage.module.css";

const route = getRouteApi("/frame/triggers/$trigger");
const words = triggerText.fact;

export function TriggerPage() {
  const { trigger: id } = route.useParams();
  const { org, api } = useSession();
  const trigger = useQuery({
    queryKey: keys.trigger(org.slug, id),
    queryFn: () => api.trigger(id),
    refetchInterval: usePollInterval(),
  });
  useTitle(trigger.data?.label ?? triggerText.title);
  return (
    <>
      <Breadcrumb to="/triggers" label={triggerText.back} />
      {!trigger.data && (
        <div className={page.head}>
          <h1>{triggerText.title}</h1>
        </div>
      )}
      {isNotFound(trigger.error) ? (
        <NotFound title={notFoundText.trigger} action="trigger.removed" named={id} />
      ) : (
        <QueryState query={trigger}>{(data) => <Detail trigger={data} />}</QueryState>
      )}
    </>
  );
}

function Detail({ trigger }: { trigger: Trigger }) {
  const isSchedule = trigger.trigger_type === "schedule";
  const mirror = useMirror(trigger.target?.host);
  return (
    <>
      <div className={host.head}>
        <div className={host.title}>
          <h1>{trigger.label}</h1>
          <StateMark trigger={trigger} />
        </div>
        <TriggerActions trigger={trigger} />
      </div>
      {mirror && <p className={host.note}>{mirror}</p>}
      {trigger.note && <p className={host.note}>{trigger.note}</p>}
      <div className={styles.columns}>
        <div className={styles.column}>
          <Panel title={triggerText.when}>
            <DetailList rows={whenRows(trigger)} />
          </Panel>
          <Panel title={triggerText.what}>
            <DetailList rows={jobRows(trigger)} />
            <pre className={styles.sample}>{writeJson(trigger.payload_template ?? {})}</pre>
          </Panel>
        </div>
        <div className={styles.column}>
          {isSchedule ? <NextPanel trigger={trigger} /> : <TestPanel trigger={trigger} />}
        </div>
      </div>
      <section aria-labelledby="fires">
        <div className={page.section}>
          <h2 id="fires">{isSchedule ? triggerText.history : triggerText.historyEvents}</h2>
        </div>
        <FireTable trigger={trigger} />
      </section>
    </>
  );
}

function StateMark({ trigger }: { trigger: Trigger }) {
  const state = stateOf(trigger, useNow());
  const statuses = { on: "succeeded", off: "canceled", ended: "canceled", paused: "scheduled" } as const;
  return (
    <span className={styles.last}>
      <StatusLabel status={statuses[state]} label={triggerText[state]} />
      {state === "paused" && <Time at={trigger.paused_until} exact />}
    </span>
  );
}

function whenRows(trigger: Trigger): [string, ReactNode][] {
  if (trigger.trigger_type === "event") {
    const isFree = Object.keys(trigger.match).length === 0;
    return [
      [words.event, <code key="event">{trigger.event_name}</code>],
      [words.match, isFree ? words.always : <code key="match">{JSON.stringify(trigger.match)}</code>],
      [words.window, windowText(trigger.dedupe_window_seconds ?? 0)],
    ];
  }
  return [
    [words.description, trigger.description],
    [words.expression, <code key="cron">{trigger.cron_expr}</code>],
    [words.zone, trigger.timezone],
    [words.next, <Time key="next" at={trigger.next_fire_at} zone={trigger.timezone ?? undefined} />],
    [words.missed, triggerText.missedPolicies[trigger.missed] ?? trigger.missed],
    [words.jitter, trigger.jitter > 0 ? duration(trigger.jitter * 1000) : words.jitterNone],
    [words.scheduledBy, triggerText.schedulers[trigger.place] ?? trigger.place],
  ];
}

function windowText(seconds: number): string {
  return seconds > 0 ? duration(seconds * 1000) : words.windowOff;
}

function jobRows(trigger: Trigger): [string, ReactNode][] {
  return [
    [words.definition, trigger.definition_key],
    [words.where, targetText(trigger.target)],
    [words.overlap, triggerText.overlapPolicies[trigger.overlap] ?? trigger.overlap],
    [words.by, creatorName(trigger.created_by)],
  ];
}

function NextPanel({ trigger }: { trigger: Trigger }) {
  const { org, api } = useSession();
  const next = useQuery({
    queryKey: [...keys.trigger(org.slug, trigger.id), "next", trigger.next_fire_at],
    queryFn: () => api.nextFires(trigger.id),
  });
  return (
    <Panel title={triggerText.nextTen}>
      <QueryState query={next}>
        {(preview) =>
          preview.times.length === 0 ? (
            <p className="dim">{triggerText.nextNone}</p>
          ) : (
            <NextRuns preview={preview} changes={preview.clock_changes} />
          )
        }
      </QueryState>
    </Panel>
  );
}
