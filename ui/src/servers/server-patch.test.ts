import { expect, it } from "vitest";
import { serverFixture } from "../test-support/server-fixture";
import { applyServerEvent, isAboutServers, serverEventData } from "./server-patch";

const AT = "2026-11-16T08:00:00Z";
const eventData = (change: object) => ({
  server_id: serverFixture().id,
  state: "stopped" as const,
  reason: "",
  run: 1,
  pid: null,
  at: AT,
  ...change,
});

it("applyServerEvent applies an event", () => {
  const stopped = applyServerEvent(serverFixture({ cpu_percent: 3 }), eventData({}), AT);
  expect(stopped).toMatchObject({ state: "stopped", pid: null, started_at: null });
  expect(stopped.cpu_percent).toBeUndefined();
  const again = applyServerEvent(stopped, eventData({ state: "starting", run: 2, reason: "not up yet" }), AT);
  expect(again).toMatchObject({ state: "starting", run: 2, started_at: AT, state_reason: "not up yet" });
});

it("applyServerEvent ignores other servers and older runs", () => {
  const server = serverFixture({ run: 3 });
  expect(applyServerEvent(server, eventData({ run: 2 }), AT)).toBe(server);
  expect(applyServerEvent(server, eventData({ run: 9, server_id: "other" }), AT)).toBe(server);
});

it("isAboutServers matches server events and events of server jobs", () => {
  const event = { type: "server.state_changed", at: AT, data: eventData({}) };
  expect(serverEventData(event)?.state).toBe("stopped");
  expect(serverEventData({ ...event, type: "job.created" })).toBeUndefined();
  expect(isAboutServers({ type: "job.created", at: AT, data: { server_id: "x" } })).toBe(true);
  expect(isAboutServers({ type: "job.created", at: AT, data: { job_id: "x" } })).toBe(false);
});
