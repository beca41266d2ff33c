import { viewText } from "../messages/views";
import { queryOf } from "./query";
import type { ViewPage } from "./views-api";

const { names } = viewText;

/** Name and search parameters. */
type SystemView = [string, string];

/** Built-in views of a page. */
export function systemViews(page: ViewPage, me: string): SystemView[] {
  switch (page) {
    case "jobs":
      return [
        [names.all, ""],
        [names.attention, queryOf({ filter: "status:failed,dead_letter" })],
        [names.running, queryOf({ filter: "status:running" })],
        [names.dead, queryOf({ filter: "status:dead_letter" })],
        [names.slow, queryOf({ filter: "duration:>5m after:-24h" })],
        [names.mine, queryOf({ filter: `user:"${me}"` })],
      ];
    case "hosts":
      return [
        [names.all, ""],
        [names.attention, queryOf({ status: "degraded,offline" })],
        [names.asleep, queryOf({ status: "asleep" })],
        [names.paused, queryOf({ status: "paused" })],
        [names.update, queryOf({ runner: "old" })],
      ];
    case "triggers":
      return [
        [names.all, ""],
        [names.schedules, queryOf({ kind: "schedule" })],
        [names.rules, queryOf({ kind: "event" })],
        [names.day, queryOf({ view: "day" })],
        [names.week, queryOf({ view: "week" })],
      ];
    case "alerts":
      return [
        [names.attention, ""],
        [names.acked, queryOf({ status: "acked" })],
        [names.resolved, queryOf({ status: "resolved" })],
        [names.all, queryOf({ status: "all" })],
      ];
    case "events":
      return [
        [names.all, ""],
        [names.jobEvents, queryOf({ types: "job" })],
        [names.hostEvents, queryOf({ types: "host." })],
        [names.alertEvents, queryOf({ types: "alert." })],
      ];
    case "servers":
      return [
        [names.all, ""],
        [names.attention, queryOf({ filter: "state:crash_loop,failed" })],
        [names.running, queryOf({ filter: "state:running" })],
      ];
  }
}
