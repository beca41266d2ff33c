import { expect, it } from "vitest";
import { madeUp } from "./made-up";
import { isAboutServers, newsOf, patched } from "./server-patch";

const AT = "2026-11-16T08:00:00Z";
const news = (change: object) => ({
  server_id: madeUp().id,
  state: "stopped" as const,
  reason: "",
  run: 1,
  pid: null,
  at: AT,
  ...change,
});

it("patched applies an event", () => {
  const stopped = patched(madeUp({ cpu_percent: 3 }), news({}), AT);
  expect(stopped).toMatchObject({ state: "stopped", pid: null, started_at: null });
  expect(stopped.cpu_percent).toBeUndefined();
  const again = patched(stopped, news({ state: "starting", run: 2, reason: "not up yet" }), AT);
  expect(again).toMatchObject({ state: "starting", run: 2, started_at: AT, state_reason: "not up yet" });
});

it("patched ignores other servers and older runs", () => {
  const server = madeUp({ run: 3 });
  expect(patched(server, news({ run: 2 }), AT)).toBe(server);
  expect(patched(server, news({ run: 9, server_id: "other" }), AT)).toBe(server);
});

it("isAboutServers matches server events and events of server jobs", () => {
  const event = { type: "server.state_changed", at: AT, data: news({}) };
  expect(newsOf(event)?.state).toBe("stopped");
  expect(newsOf({ ...event, type: "job.created" })).toBeUndefined();
  expect(isAboutServers({ type: "job.created", at: AT, data: { server_id: "x" } })).toBe(true);
  expect(isAboutServers({ type: "job.created", at: AT, data: { job_id: "x" } })).toBe(false);
});
