import type { JobTarget } from "../api/model";

/** Form state of a job target. */
export interface Aim {
  kind: "any" | "host" | "selector";
  host: string;
  selector: string;
}

export const ANYWHERE: Aim = { kind: "any", host: "", selector: "" };

export function aimOf(target: JobTarget | null | undefined): Aim {
  if (target?.host) return { ...ANYWHERE, kind: "host", host: target.host };
  if (target?.selector) return { ...ANYWHERE, kind: "selector", selector: target.selector };
  return ANYWHERE;
}

export function targetOf(aim: Aim): JobTarget | undefined {
  if (aim.kind === "host") return { host: aim.host };
  if (aim.kind === "selector") return { selector: aim.selector.trim() };
  return undefined;
}

/** Whether the target is complete. */
export function isAimed(aim: Aim): boolean {
  return aim.kind === "any" || (aim.kind === "host" ? aim.host !== "" : aim.selector.trim() !== "");
}
