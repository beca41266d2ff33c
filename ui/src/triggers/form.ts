import type { Trigger, TriggerRequest } from "../api/model";
import { readJson } from "../parts/json";
import { ANY_TARGET, isTargetComplete, jobTargetOf, type TargetForm, targetFormOf } from "../run/target";
import { instantOf, localTimeOf } from "../time/local";

/** Form state of a trigger, without its payload. */
export interface TriggerForm {
  label: string;
  kind: "schedule" | "event";
  cron: string;
  timezone: string;
  eventName: string;
  match: string;
  definition: string;
  target: TargetForm;
  spread: "any" | "each";
  missed: string;
  missedMax: number;
  overlap: string;
  jitter: number;
  place: string;
  windowSeconds: number;
  priority: number;
  starts: string;
  ends: string;
}

export function blankForm(timezone: string): TriggerForm {
  return {
    label: "",
    kind: "schedule",
    cron: "0 2 * * *",
    timezone,
    eventName: "",
    match: "{}",
    definition: "",
    target: ANY_TARGET,
    spread: "any",
    missed: "once",
    missedMax: 10,
    overlap: "forbid",
    jitter: 0,
    place: "hub",
    windowSeconds: 300,
    priority: 100,
    starts: "",
    ends: "",
  };
}

export function formOf(trigger: Trigger, zone: string): TriggerForm {
  const localTime = (at: string | null | undefined) => (at ? localTimeOf(Date.parse(at), zone) : "");
  return {
    ...blankForm(trigger.timezone ?? zone),
    label: trigger.label,
    kind: trigger.trigger_type,
    ...(trigger.cron_expr ? { cron: trigger.cron_expr } : {}),
    eventName: trigger.event_name ?? "",
    match: JSON.stringify(trigger.match ?? {}, null, 2),
    definition: trigger.definition_key,
    target: targetFormOf(trigger.target),
    spread: trigger.target?.spread === "each" ? "each" : "any",
    missed: trigger.missed,
    missedMax: trigger.missed_max,
    overlap: trigger.overlap,
    jitter: trigger.jitter,
    place: trigger.place,
    windowSeconds: trigger.dedupe_window_seconds ?? 300,
    priority: trigger.priority,
    starts: localTime(trigger.starts_at),
    ends: localTime(trigger.ends_at),
  };
}

export function isComplete(form: TriggerForm): boolean {
  const hasSource = form.kind === "schedule" ? form.cron.trim() !== "" : form.eventName.trim() !== "";
  return form.label.trim() !== "" && form.definition !== "" && hasSource && isTargetComplete(form.target);
}

/** Request of a form, without the fields of the other trigger type. */
export function requestOf(form: TriggerForm, payload: unknown, zone: string): TriggerRequest {
  const target = jobTargetOf(form.target);
  const spread = form.target.kind === "selector" ? { spread: form.spread } : {};
  const instant = (localTime: string) => (localTime ? instantOf(localTime, zone) : null);
  const common: TriggerRequest = {
    label: form.label.trim(),
    definition_key: form.definition,
    payload_template: payload,
    ...(target ? { target: { ...target, ...spread } } : {}),
    overlap: form.overlap,
    priority: form.priority,
    starts_at: instant(form.starts),
    ends_at: instant(form.ends),
  };
  if (form.kind === "event") {
    return {
      ...common,
      event_name: form.eventName.trim(),
      match: (readJson(form.match).value ?? {}) as Record<string, unknown>,
      dedupe_window_seconds: form.windowSeconds,
    };
  }
  return {
    ...common,
    cron_expr: form.cron.trim(),
    timezone: form.timezone,
    missed: form.missed,
    missed_max: form.missedMax,
    jitter: form.jitter,
    place: form.place,
  };
}
