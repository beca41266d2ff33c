import { Link } from "@tanstack/react-router";
import type { Trigger } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { StatusLabel } from "../jobs/JobMark";
import { text } from "../messages";
import { triggerText } from "../messages/triggers";
import { DataTable } from "../parts/DataTable";
import { Icon } from "../parts/Icon";
import { Toggle } from "../parts/Toggle";
import type { Selection } from "../parts/useSelection";
import { useNow } from "../time/clock";
import { Time } from "../time/Time";
import { FireHistory } from "./FireHistory";
import { fireDisplayStatus, stateOf, targetText } from "./state";
import styles from "./TriggersPage.module.css";
import { toggleChange, useUndoableChange } from "./useTriggerChange";

const words = triggerText.columns;

interface Props {
  triggers: Trigger[];
  /** Selected rows, if rows are selectable. */
  selection?: Selection;
}

export function TriggerTable({ triggers, selection }: Props) {
  const { role } = useSession();
  const change = useUndoableChange();
  const refused = refusal(role, "admin");
  return (
    <DataTable
      rows={triggers}
      keyOf={({ id }) => id}
      nameOf={({ label }) => label}
      {...(selection ? { selection } : {})}
      columns={[
        {
          head: words.label,
          cell: (trigger) => (
            <span className={styles.label}>
              <Toggle
                label={triggerText.enable(trigger.label)}
                isOn={trigger.is_enabled}
                refused={trigger.is_hosts_own ? triggerText.hostsOwn : refused}
                onToggle={() => change.mutate(toggleChange(trigger))}
              />
              <Link to="/triggers/$trigger" params={{ trigger: trigger.id }} data-row>
                {trigger.label}
              </Link>
            </span>
          ),
        },
        { head: words.when, cell: (trigger) => <When trigger={trigger} />, isLong: true },
        { head: words.next, cell: (trigger) => <Next trigger={trigger} /> },
        { head: words.last, cell: (trigger) => <LastRun trigger={trigger} /> },
        {
          head: words.recentRuns,
          cell: (trigger) => <FireHistory trigger={trigger} />,
          isEmpty: ({ last_fire }) => !last_fire,
        },
        { head: words.runs, cell: ({ definition_key }) => definition_key },
        { head: words.where, cell: ({ target }) => <span className="dim">{targetText(target)}</span> },
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
  return <Time at={trigger.next_fire_at} zone={trigger.timezone ?? undefined} />;
}

function LastRun({ trigger }: { trigger: Trigger }) {
  const fire = trigger.last_fire;
  // Event rules have no run history, only jobs.
  if (!fire && trigger.trigger_type === "event") return <span className="faint">{text.common.none}</span>;
  if (!fire) return <span className="faint">{triggerText.never}</span>;
  return (
    <span className={styles.last}>
      <StatusLabel
        status={fireDisplayStatus(fire.status, fire.job_status)}
        label={triggerText.fire[fire.status]}
      />
      <span className="dim">
        <Time at={fire.nominal_at} />
      </span>
    </span>
  );
}
