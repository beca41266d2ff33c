import type { Host, HostStatus } from "../api/model";

/** In display order. */
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

export function hostTone(status: HostStatus): Tone {
  return TONES[status] ?? "quiet";
}

/** Only these states get a tinted background. */
export function isHighlightedHost(status: HostStatus): boolean {
  return status === "degraded" || status === "offline";
}

/** Whether the metrics are current: the host is connected. */
export function hasFreshMetrics(status: HostStatus): boolean {
  return status === "online" || status === "degraded" || status === "paused";
}

/** Text after the status word; empty if the status needs no explanation. */
export function reasonAfterWord(host: Pick<Host, "status" | "status_reason">): string {
  const { status, status_reason: reason } = host;
  if (reason === "" || (status === "online" && reason === "connected")) return "";
  // Reasons such as "asleep · last seen 9 h ago" repeat the status word.
  for (const opening of [status, `marked ${status}`]) {
    if (reason.startsWith(opening)) return reason.slice(opening.length);
  }
  return ` · ${reason}`;
}
