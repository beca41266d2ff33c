import type { Server, ServerState } from "../api/model";

/** In the order people look for them. */
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

/** Loud by exception: only these get a tinted ground. */
export function isLoudServer(state: ServerState): boolean {
  return state === "waiting" || state === "crash_loop" || state === "failed";
}

/** Whether starting is what one would ask for; else it is stopping or restarting. */
export function canStart({ state }: Pick<Server, "state">): boolean {
  return state === "stopped" || state === "failed" || state === "stopping";
}

/** What is asked of it but is not so, as far as the state alone does not say it. */
export function gapOf({ state, wish }: Pick<Server, "state" | "wish">): "toRun" | "toStop" | undefined {
  if (wish === "up" && (state === "stopped" || state === "stopping")) return "toRun";
  if (wish === "down" && (state === "running" || state === "starting")) return "toStop";
  return undefined;
}

const HERE = new Set(["online", "degraded", "paused"]);

/** Whether its host can be told something now. */
export function isHostHere({ host_status }: Pick<Server, "host_status">): boolean {
  return HERE.has(host_status);
}
