import { expect, it } from "vitest";
import type { AuditEntry } from "../api/model";
import { auditCsv } from "./audit-csv";

it("auditCsv writes one line per entry with the full diff", () => {
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
