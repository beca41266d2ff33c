import type { LiveEvent, Server, ServerState } from "../api/model";

interface ServerEventData {
  server_id: string;
  state: ServerState;
  reason: string;
  run: number;
  pid: number | null;
  at: string;
}

/** Server data of an event; `undefined` for other events. */
export function serverEventData({ type, data }: LiveEvent): ServerEventData | undefined {
  if (type !== "server.state_changed" || typeof data !== "object" || data === null) return undefined;
  return "server_id" in data ? (data as ServerEventData) : undefined;
}

/** Whether an event requires a refetch of servers: server events, and events of server jobs. */
export function isAboutServers({ type, data }: LiveEvent): boolean {
  if (type === "job_run.progress" || typeof data !== "object" || data === null) return false;
  return "server_id" in data && Boolean(data.server_id);
}

/** Applies an event to a server. Other fields are updated by the next refetch. */
export function applyServerEvent(server: Server, change: ServerEventData, at: string): Server {
  if (server.id !== change.server_id || change.run < server.run) return server;
  const isNewRun = change.run > server.run;
  const hasProcess = !["stopped", "failed", "waiting"].includes(change.state);
  const { cpu_percent: _, memory_bytes: __, ...rest } = server;
  return {
    ...(change.pid === null ? rest : server),
    state: change.state,
    state_reason: change.reason,
    state_at: change.at,
    run: change.run,
    pid: change.pid,
    started_at: hasProcess ? (isNewRun ? at : (server.started_at ?? at)) : null,
  };
}
