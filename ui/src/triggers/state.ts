import type { FireStatus, JobStatus, Trigger } from "../api/model";
import type { DisplayStatus } from "../jobs/job-status";
import { triggerText } from "../messages/triggers";

export type TriggerState = "on" | "off" | "paused" | "ended";

export function stateOf(trigger: Trigger, now: number): TriggerState {
  if (!trigger.is_enabled) return "off";
  if (trigger.ends_at && Date.parse(trigger.ends_at) <= now) return "ended";
  if (trigger.paused_until && Date.parse(trigger.paused_until) > now) return "paused";
  return "on";
}

/** Maps a fire status to the icon of a job status; a created job shows its own status. */
export function fireDisplayStatus(status: FireStatus, job: string | null | undefined): DisplayStatus {
  if (job && status === "fired") return job as JobStatus;
  const statuses: Record<FireStatus, DisplayStatus> = {
    fired: "succeeded",
    caught_up: "succeeded",
    missed: "retrying",
    asleep: "scheduled",
    skipped: "canceled",
    failed: "failed",
  };
  return statuses[status] ?? "queued";
}

/** Target of a trigger in words. */
export function targetText(target: Trigger["target"]): string {
  if (target?.host) return target.host;
  if (target?.selector) {
    return target.spread === "each"
      ? triggerText.eachHost(target.selector)
      : triggerText.oneHost(target.selector);
  }
  return target?.queue ? triggerText.queue(target.queue) : triggerText.anyHost;
}
