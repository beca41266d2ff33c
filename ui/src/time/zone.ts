import { createContext, useContext } from "react";

const ZONES = ["local", "utc", "org"] as const;
export type ZoneChoice = (typeof ZONES)[number];

export function isZone(value: unknown): value is ZoneChoice {
  return ZONES.includes(value as ZoneChoice);
}

export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** IANA zone of a choice. An organization zone that the browser does not know falls back to UTC. */
export function zoneName(choice: ZoneChoice, orgZone: string): string {
  if (choice === "local") return localZone();
  if (choice === "utc") return "UTC";
  try {
    return new Intl.DateTimeFormat("en", { timeZone: orgZone }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}

export const ZoneContext = createContext<string>(localZone());

export function useZoneName(): string {
  return useContext(ZoneContext);
}
