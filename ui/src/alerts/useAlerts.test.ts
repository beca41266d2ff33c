// @vitest-environment happy-dom
import { expect, it } from "vitest";
import type { Alert } from "../api/model";
import { bySeverity, countUrgent } from "./useAlerts";

const alert = (id: string, severity: Alert["severity"], since: string, status: Alert["status"] = "open") =>
  ({ id, severity, since, status }) as Alert;

it("bySeverity sorts by severity, then newest first", () => {
  const sorted = bySeverity([
    alert("a", "info", "2026-11-16T10:00:00Z"),
    alert("b", "critical", "2026-11-16T09:00:00Z"),
    alert("c", "critical", "2026-11-16T11:00:00Z"),
  ]);
  expect(sorted.map(({ id }) => id).join("")).toBe("cba");
});

it("countUrgent ignores acknowledged alerts", () => {
  const at = "2026-11-16T10:00:00Z";
  expect(countUrgent([alert("a", "info", at), alert("b", "info", at, "acked")])).toBe(1);
  expect(countUrgent(undefined)).toBe(0);
});
