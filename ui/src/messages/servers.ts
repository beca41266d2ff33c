import type { HostStatus } from "../api/model";

/** Texts about servers in lists, and about starting and stopping them. */
export const serversText = {
  title: "Servers",
  create: "New server",
  state: {
    stopped: "stopped",
    starting: "starting",
    running: "running",
    stopping: "stopping",
    waiting: "waiting",
    crash_loop: "crash loop",
    failed: "failed",
  },
  stale: (word: string) => `${word} (last known)`,
  staleNote: (host: string, status: string) => `${host} is ${status}. This is the last known state.`,
  filterState: "Filter by state",
  filterLabel: "Filter servers",
  filterHint: "state:running,failed  host:web-1  name",
  clear: "Clear filter",
  noMatch: (total: number) => `No matching servers (${total.toLocaleString("en")} total)`,
  emptyTitle: "No servers yet",
  empty: "A server is a long-lived process on one of your hosts that Hostler keeps running.",
  emptyCli: "hostler server create cache --on web-1 --start -- redis-server",
  hostNone: "No servers on this host.",
  columns: {
    name: "Server",
    state: "State",
    host: "Host",
    up: "Uptime",
    restarts: "Restarts",
    cpu: "CPU",
    memory: "Memory",
    pid: "PID",
    ports: "Ports",
  },
  percent: (n: number) => `${n < 10 ? n.toFixed(1) : Math.round(n)}%`,
  requestedState: { toRun: "start requested", toStop: "stop requested" },
  moves: (to: string, from: string) => `moving to ${to}, waiting for ${from}`,
  actions: { start: "Start", stop: "Stop…", restart: "Restart…", kill: "Kill…" },
  actionNames: { start: "start", stop: "stop", restart: "restart" },
  inProgress: { start: "starting…", stop: "stopping…", restart: "restarting…" },
  completed: { start: "started", stop: "stopped", restart: "restarted" },
  waiting: (action: string, why: string) => (why ? `waiting to ${action}: ${why}` : `waiting to ${action}`),
  failedTo: (action: string, why: string) => (why ? `${action} failed: ${why}` : `${action} failed`),
  canceled: (action: string) => `${action} canceled`,
  job: "job",
  notRunning: "The server is not running.",
  hostDisconnected: (host: string, status: string) =>
    `${host} is ${status}. You can kill a server only while its host is connected.`,
  stopTitle: (name: string) => `Stop ${name}?`,
  restartTitle: (name: string) => `Restart ${name}?`,
  killTitle: (name: string) => `Kill ${name}?`,
  stopDo: "Stop server",
  restartDo: "Restart server",
  killDo: "Kill server",
  steps: {
    command: (line: string, seconds: string) => `writes “${line}” to stdin and waits ${seconds}`,
    signal: (signal: string, seconds: string) => `sends ${signal} and waits ${seconds}`,
    kill: "kills all remaining processes",
  },
  stopAfter: "The server stays stopped until you start it again.",
  restartAfter: "Then the server starts again. Clients lose their connection.",
  killEffect:
    "Ends all processes of the server immediately. They cannot save data. The server stays stopped until you start it again.",
  hostNotReady: (host: string, status: HostStatus | "") => {
    if (status === "revoked") return `The keys of ${host} are revoked. The request cannot reach it.`;
    if (status === "paused") return `${host} is paused. The request waits until the host is resumed.`;
    if (status === "pending") return `${host} is pending. The request waits until its runner connects.`;
    return `${host} is ${status}. The request waits until the host reconnects.`;
  },
  killed: (name: string) => `${name} killed`,
};
