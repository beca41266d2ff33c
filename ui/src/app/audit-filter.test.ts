import { expect, it } from "vitest";
import { readAuditFilter, sinceInstant } from "./audit-filter";

it("readAuditFilter drops unknown parameters", () => {
  expect(readAuditFilter({ actor: " ana ", action: "host.*", since: "24h" })).toEqual({
    actor: "ana",
    action: "host.*",
    since: "24h",
  });
  expect(readAuditFilter({ actor: "", since: "for ever" })).toEqual({});
});

it("sinceInstant rounds to whole minutes", () => {
  const now = Date.parse("2026-11-15T12:00:42Z");
  expect(sinceInstant("1h", now)).toBe("2026-11-15T11:00:00.000Z");
  expect(sinceInstant(undefined, now)).toBeUndefined();
});
