import type { Severity } from "../api/model";

export type AlertView = "open" | "acked" | "resolved" | "all";

export function isAlertView(value: unknown): value is AlertView {
  return value === "open" || value === "acked" || value === "resolved" || value === "all";
}

export interface AlertSearch {
  status?: AlertView;
  kind?: string;
  severity?: Severity;
}

const SEVERITIES: readonly Severity[] = ["critical", "warning", "info"];

export function readAlertSearch({ status, kind, severity }: Record<string, unknown>): AlertSearch {
  const found = SEVERITIES.find((each) => each === severity);
  return {
    ...(isAlertView(status) ? { status } : {}),
    ...(typeof kind === "string" && kind ? { kind } : {}),
    ...(found ? { severity: found } : {}),
  };
}
