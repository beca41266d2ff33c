import type { Server } from "../api/model";

/** Test fixture. */
export function serverFixture(change: Partial<Server> = {}): Server {
  return {
    id: "01M7HN8AKMHBVSFB6J59ZY93KJ",
    name: "cache",
    host_id: "01M7HN7566ZFA1J8839T90JVA6",
    host: "web-1",
    host_status: "online",
    state: "running",
    state_reason: "",
    state_at: "2026-11-16T07:48:27Z",
    is_stale: false,
    wish: "up",
    run: 1,
    pid: 811,
    started_at: "2026-11-16T07:48:26Z",
    restarts: 0,
    spec: {
      argv: ["redis-server", "--port", "6379"],
      env: {},
      ports: [6379],
      ready: { kind: "up", timeout_seconds: 60 },
      stop: { command_seconds: 30, signal: "TERM", signal_seconds: 10 },
      restart: {
        policy: "on_failure",
        first_seconds: 1,
        cap_seconds: 300,
        loop_after: 5,
        stable_seconds: 60,
      },
      autostart: false,
      console: true,
      caps: {},
      log: { bytes: 67_108_864, days: 14 },
    },
    version: 1,
    is_hosts_own: false,
    is_hubs: false,
    created_by: "ana",
    created_at: "2026-11-16T07:00:00Z",
    updated_at: "2026-11-16T07:48:27Z",
    ...change,
  };
}
