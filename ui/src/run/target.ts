import type { JobTarget } from "../api/model";

export interface TargetForm {
  kind: "any" | "host" | "selector";
  host: string;
  selector: string;
}

export const ANY_TARGET: TargetForm = { kind: "any", host: "", selector: "" };

export function targetFormOf(target: JobTarget | null | undefined): TargetForm {
  if (target?.host) return { ...ANY_TARGET, kind: "host", host: target.host };
  if (target?.selector) return { ...ANY_TARGET, kind: "selector", selector: target.selector };
  return ANY_TARGET;
}

export function jobTargetOf(form: TargetForm): JobTarget | undefined {
  if (form.kind === "host") return { host: form.host };
  if (form.kind === "selector") return { selector: form.selector.trim() };
  return undefined;
}

/** Whether the target is complete. */
export function isTargetComplete(form: TargetForm): boolean {
  return form.kind === "any" || (form.kind === "host" ? form.host !== "" : form.selector.trim() !== "");
}
