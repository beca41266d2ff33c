import { expect, it } from "vitest";
import { canStart, gapOf, isHostHere, isLoudServer, SERVER_STATES, serverTone } from "./state";

it("is loud for what needs somebody, and only then", () => {
  expect(SERVER_STATES.filter(isLoudServer)).toEqual(["waiting", "crash_loop", "failed"]);
  expect(serverTone("crash_loop")).toBe("bad");
});

it("offers to start what is down or on its way there", () => {
  expect(SERVER_STATES.filter((state) => canStart({ state }))).toEqual(["stopping", "failed", "stopped"]);
});

it("tells what is asked from what is so", () => {
  expect(gapOf({ state: "running", wish: "up" })).toBeUndefined();
  expect(gapOf({ state: "running", wish: "down" })).toBe("toStop");
  expect(gapOf({ state: "stopped", wish: "up" })).toBe("toRun");
  expect(gapOf({ state: "crash_loop", wish: "up" })).toBeUndefined();
});

it("knows which hosts can be told something", () => {
  expect(isHostHere({ host_status: "online" })).toBe(true);
  expect(isHostHere({ host_status: "asleep" })).toBe(false);
  expect(isHostHere({ host_status: "" })).toBe(false);
});
