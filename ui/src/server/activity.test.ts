import { expect, it } from "vitest";
import type { AuditEntry, Job } from "../api/model";
import { mergeActivity } from "./activity";

const auditEntry = (change: object) =>
  ({
    id: "1",
    actor: "ana",
    actor_kind: "user",
    subject_kind: "server",
    subject_id: "s",
    diff: {},
    ...change,
  }) as AuditEntry;

it("mergeActivity merges three sources by time for one server", () => {
  const events = [
    {
      type: "server.state_changed",
      at: "2026-11-16T08:00:01Z",
      data: { server_id: "s", state: "starting", reason: "not up yet" },
    },
    { type: "server.state_changed", at: "2026-11-16T08:00:02Z", data: { server_id: "t", state: "running" } },
  ];
  const jobs = [{ id: "j", queued_at: "2026-11-16T08:00:00Z" } as Job];
  const entries = [
    auditEntry({ at: "2026-11-16T08:00:03Z", action: "server.input", diff: { line: [null, "say hi"] } }),
    auditEntry({ at: "2026-11-16T08:00:04Z", action: "server.updated", diff: { ports: [], folder: [] } }),
    auditEntry({ at: "2026-11-16T08:00:05Z", action: "server.killed", subject_id: "t" }),
  ];
  const found = mergeActivity("s", events, jobs, entries);
  expect(found.map(({ kind }) => kind)).toEqual(["audit", "audit", "state", "job"]);
  expect(found[0]).toMatchObject({ action: "changed", text: "changed ports, folder" });
  expect(found[1]).toMatchObject({ action: "console input", text: "“say hi”" });
});
