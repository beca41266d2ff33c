import { expect, it } from "vitest";
import type { AuditEntry } from "../api/model";
import { auditCsv } from "./audit-csv";

it("writes an entry as a line, with its whole diff", () => {
  const entry = {
    number: 7,
    at: "2026-11-16T10:00:00Z",
    actor: "ana",
    action: "host.mode_updated",
    subject_kind: "host",
    subject: "nas",
    diff: { always_on: [true, false] },
  } as unknown as AuditEntry;
  expect(auditCsv([entry]).split("\r\n")[1]).toBe(
    '7,2026-11-16T10:00:00Z,ana,,host.mode_updated,host,nas,"{""always_on"":[true,false]}",',
  );
});
