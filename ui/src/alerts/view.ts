/** Which alerts the list shows. */
export type AlertView = "open" | "acked" | "resolved" | "all";

export function isAlertView(value: unknown): value is AlertView {
  return value === "open" || value === "acked" || value === "resolved" || value === "all";
}
