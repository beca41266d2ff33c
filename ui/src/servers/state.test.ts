import { expect, it } from "vitest";
import { canStart, gapOf, isHostHere, isLoudServer, SERVER_STATES, serverTone } from "./state";

it("isLoudServer matches only states that need attention", () => {
  expect(SERVER_STATES.filter(isLoudServer)).toEqual(["waiting", "crash_loop", "failed"]);
  expect(serverTone("crash_loop")).toBe("bad");
});

it("canStart is true for stopped, failed and stopping servers", () => {
  expect(SERVER_STATES.filter((state) => canStart({ state }))).toEqual(["stopping", "failed", "stopped"]);
});

it("gapOf reports a differing desired state", () => {
  expect(gapOf({ state: "running", wish: "up" })).toBeUndefined();
  expect(gapOf({ state: "running", wish: "down" })).toBe("toStop");
  expect(gapOf({ state: "stopped", wish: "up" })).toBe("toRun");
  expect(gapOf({ state: "crash_loop", wish: "up" })).toBeUndefined();
});

it("isHostHere matches connected hosts", () => {
  expect(isHostHere({ host_status: "online" })).toBe(true);
  expect(isHostHere({ host_status: "asleep" })).toBe(false);
  expect(isHostHere({ host_status: "" })).toBe(false);
});
