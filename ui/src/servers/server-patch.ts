import type { LiveEvent, Server, ServerState } from "../api/model";

interface ServerNews {
  server_id: string;
  state: ServerState;
  reason: string;
  run: number;
  pid: number | null;
  at: string;
}

/** Server data of an event; `undefined` for other events. */
export function newsOf({ type, data }: LiveEvent): ServerNews | undefined {
  if (type !== "server.state_changed" || typeof data !== "object" || data === null) return undefined;
  return "server_id" in data ? (data as ServerNews) : undefined;
}

/** Whether an event requires a refetch of servers: server events, and events of server jobs. */
export function isAboutServers({ type, data }: LiveEvent): boolean {
  if (type === "job_run.progress" || typeof data !== "object" || data === null) return false;
  return "server_id" in data && Boolean(data.server_id);
}

/** Applies an event to a server. Other fields are updated by the next refetch. */
export function patched(server: Server, news: ServerNews, at: string): Server {
  if (server.id !== news.server_id || news.run < server.run) return server;
  const isNewRun = news.run > server.run;
  const hasProcess = !["stopped", "failed", "waiting"].includes(news.state);
  const { cpu_percent: _, memory_bytes: __, ...rest } = server;
  return {
    ...(news.pid === null ? rest : server),
    state: news.state,
    state_reason: news.reason,
    state_at: news.at,
    run: news.run,
    pid: news.pid,
    started_at: hasProcess ? (isNewRun ? at : (server.started_at ?? at)) : null,
  };
}
