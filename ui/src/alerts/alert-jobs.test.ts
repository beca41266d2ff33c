import { expect, it } from "vitest";
import type { Alert } from "../api/model";
import { jobsOfAlert } from "./alert-jobs";

const alert = (kind: string, subject_kind: string, subject_name: string) =>
  ({ kind, subject_kind, subject_name }) as Alert;

it("jobsOfAlert returns the job filter of an alert", () => {
  expect(jobsOfAlert(alert("host_offline", "host", "db-2"))).toEqual({
    kind: "waiting",
    filter: "status:queued host:db-2",
  });
  expect(jobsOfAlert(alert("dead_letter", "definition", "sync dropbox"))).toEqual({
    kind: "dead",
    filter: 'status:dead_letter def:"sync dropbox"',
  });
  expect(jobsOfAlert(alert("crash_loop", "server", "mc-1"))).toBeUndefined();
});
