import type { Server, ServerState } from "../api/model";

/** In display order. */
export const SERVER_STATES: readonly ServerState[] = [
  "running",
  "starting",
  "stopping",
  "waiting",
  "crash_loop",
  "failed",
  "stopped",
];

type ServerTone = "ok" | "info" | "warn" | "bad" | "quiet";

const TONES: Record<ServerState, ServerTone> = {
  running: "ok",
  starting: "info",
  stopping: "info",
  waiting: "warn",
  crash_loop: "bad",
  failed: "bad",
  stopped: "quiet",
};

export function serverTone(state: ServerState): ServerTone {
  return TONES[state] ?? "quiet";
}

/** Only these states get a tinted background. */
export function isHighlightedServer(state: ServerState): boolean {
  return state === "waiting" || state === "crash_loop" || state === "failed";
}

/** Whether to offer Start; otherwise Stop and Restart are offered. */
export function canStart({ state }: Pick<Server, "state">): boolean {
  return state === "stopped" || state === "failed" || state === "stopping";
}

/** Desired state if it differs from the actual one and the state alone does not show it. */
export function pendingRequest({
  state,
  desired_state,
}: Pick<Server, "state" | "desired_state">): "toRun" | "toStop" | undefined {
  if (desired_state === "up" && (state === "stopped" || state === "stopping")) return "toRun";
  if (desired_state === "down" && (state === "running" || state === "starting")) return "toStop";
  return undefined;
}

const CONNECTED = new Set(["online", "degraded", "paused"]);

/** Whether the host of a server is connected. */
export function isHostConnected({ host_status }: Pick<Server, "host_status">): boolean {
  return CONNECTED.has(host_status);
}
