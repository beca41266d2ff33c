import { expect, it } from "vitest";
import {
  canStart,
  isHighlightedServer,
  isHostConnected,
  pendingRequest,
  SERVER_STATES,
  serverTone,
} from "./state";

it("isHighlightedServer matches only states that need attention", () => {
  expect(SERVER_STATES.filter(isHighlightedServer)).toEqual(["waiting", "crash_loop", "failed"]);
  expect(serverTone("crash_loop")).toBe("bad");
});

it("canStart is true for stopped, failed and stopping servers", () => {
  expect(SERVER_STATES.filter((state) => canStart({ state }))).toEqual(["stopping", "failed", "stopped"]);
});

it("pendingRequest reports a differing desired state", () => {
  expect(pendingRequest({ state: "running", desired_state: "up" })).toBeUndefined();
  expect(pendingRequest({ state: "running", desired_state: "down" })).toBe("toStop");
  expect(pendingRequest({ state: "stopped", desired_state: "up" })).toBe("toRun");
  expect(pendingRequest({ state: "crash_loop", desired_state: "up" })).toBeUndefined();
});

it("isHostConnected matches connected hosts", () => {
  expect(isHostConnected({ host_status: "online" })).toBe(true);
  expect(isHostConnected({ host_status: "asleep" })).toBe(false);
  expect(isHostConnected({ host_status: "" })).toBe(false);
});
