import { expect, it } from "vitest";
import type { Alert } from "../api/model";
import { concernOf } from "./concerns";

const alert = (kind: string, subject_kind: string, subject_name: string) =>
  ({ kind, subject_kind, subject_name }) as Alert;

it("concernOf returns the job filter of an alert", () => {
  expect(concernOf(alert("host_offline", "host", "db-2"))).toEqual({
    kind: "waiting",
    filter: "status:queued host:db-2",
  });
  expect(concernOf(alert("dead_letter", "definition", "sync dropbox"))).toEqual({
    kind: "dead",
    filter: 'status:dead_letter def:"sync dropbox"',
  });
  expect(concernOf(alert("crash_loop", "server", "mc-1"))).toBeUndefined();
});
