import type { TimelineItem } from "../api/model";
import type { JobFace } from "../jobs/job-status";

const FACES: Record<string, JobFace> = {
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

/** What happened is drawn like the job state it is most alike to. */
export function timelineFace({ kind, word }: Pick<TimelineItem, "kind" | "word">): JobFace {
  if (kind === "alert") return "retrying";
  return FACES[word] ?? "failed";
}

/** The items of each day, in the order they come. */
export function byDay(items: TimelineItem[], zone: string): [string, TimelineItem[]][] {
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
