import type { TimelineItem } from "../api/model";
import type { DisplayStatus } from "../jobs/job-status";

const STATUSES: Record<string, DisplayStatus> = {
  asleep: "scheduled",
  offline: "failed",
  fired: "succeeded",
  caught_up: "succeeded",
  missed: "retrying",
  skipped: "canceled",
  succeeded: "succeeded",
  running: "running",
  canceled: "canceled",
  not_started: "queued",
};

/** Maps a timeline item to the icon of a job status. */
export function itemStatus({ kind, word }: Pick<TimelineItem, "kind" | "word">): DisplayStatus {
  if (kind === "alert") return "retrying";
  return STATUSES[word] ?? "failed";
}

/** Groups items by day. */
export function groupByDay(items: TimelineItem[], zone: string): [string, TimelineItem[]][] {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "long",
    day: "numeric",
    month: "long",
  });
  const days = new Map<string, TimelineItem[]>();
  for (const item of items) {
    const day = format.format(Date.parse(item.at));
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return [...days];
}
