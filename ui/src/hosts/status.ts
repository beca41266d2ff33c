import type { Host, HostStatus } from "../api/model";

/** In the order people look for them. */
export const HOST_STATUSES: readonly HostStatus[] = [
  "online",
  "degraded",
  "offline",
  "asleep",
  "paused",
  "pending",
  "revoked",
];

type Tone = "ok" | "warn" | "bad" | "sleep" | "quiet";

const TONES: Record<HostStatus, Tone> = {
  online: "ok",
  degraded: "warn",
  offline: "bad",
  asleep: "quiet",
  paused: "sleep",
  pending: "quiet",
  revoked: "quiet",
};

export function toneOf(status: HostStatus): Tone {
  return TONES[status] ?? "quiet";
}

/** Loud by exception: only these get a tinted ground. */
export function isLoud(status: HostStatus): boolean {
  return status === "degraded" || status === "offline";
}

/** A reading is only worth showing while the machine can be heard. */
export function hasFreshMetrics(status: HostStatus): boolean {
  return status === "online" || status === "degraded" || status === "paused";
}

/** What to say after the status word; nothing when all is as it should be. */
export function reasonAfterWord(host: Pick<Host, "status" | "status_reason">): string {
  const { status, status_reason: reason } = host;
  if (reason === "" || (status === "online" && reason === "connected")) return "";
  // Reasons such as "asleep · last seen 9 h ago" begin with the word that is already there.
  for (const opening of [status, `marked ${status}`]) {
    if (reason.startsWith(opening)) return reason.slice(opening.length);
  }
  return ` · ${reason}`;
}
