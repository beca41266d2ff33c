import { expect, it } from "vitest";
import { madeUp } from "../servers/made-up";
import { stopSteps } from "../servers/stop-steps";
import { capsText, keptText, nextTry, readyText, restartText } from "./spec-text";

const { spec } = madeUp();

it("says when it is ready", () => {
  expect(readyText(spec.ready)).toBe("it has stayed up for a second, within 1 m");
  expect(readyText({ kind: "tcp", port: 80, timeout_seconds: 5 })).toContain("127.0.0.1:80");
  expect(readyText({ kind: "command", argv: ["pg_isready", "-q"], timeout_seconds: 5 })).toContain(
    "pg_isready -q",
  );
});

it("says how it is stopped, step by step", () => {
  expect(stopSteps(spec)).toEqual([
    "it is sent TERM and has 10 s to end",
    "what has not ended then is killed",
  ]);
  const withLine = { stop: { ...spec.stop, command: "stop" } };
  expect(stopSteps(withLine)[0]).toBe("“stop” is written to its input, and it has 30 s to end");
});

it("says when it is started again and what it may use", () => {
  expect(restartText({ ...spec.restart, policy: "never" })).toBe("never");
  expect(restartText(spec.restart)).toContain("up to 5 m");
  expect(capsText({})).toBe("none");
  expect(capsText({ memory_bytes: 536_870_912, cpu_percent: 150 })).toBe("512 MB of memory, 150 % of a core");
  expect(keptText(spec.log)).toBe("64.0 MB, 14 days");
});

it("finds the next try in a reason", () => {
  expect(nextTry("exited 3 times in a row; next attempt at 2026-11-16T07:48:34.110553Z")).toBe(
    "2026-11-16T07:48:34.110553Z",
  );
  expect(nextTry("exited 3 times in a row; runs again")).toBeUndefined();
});
