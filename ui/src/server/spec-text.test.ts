import { expect, it } from "vitest";
import { stopSteps } from "../servers/stop-steps";
import { serverFixture } from "../test-support/server-fixture";
import { capsText, nextAttempt, readyText, restartText, retentionText } from "./spec-text";

const { spec } = serverFixture();

it("readyText describes the readiness check", () => {
  expect(readyText(spec.ready)).toBe("the process stays up for 1 second, within 1 min");
  expect(readyText({ kind: "tcp", port: 80, timeout_seconds: 5 })).toContain("127.0.0.1:80");
  expect(readyText({ kind: "command", argv: ["pg_isready", "-q"], timeout_seconds: 5 })).toContain(
    "pg_isready -q",
  );
});

it("stopSteps describes each stop step", () => {
  expect(stopSteps(spec)).toEqual(["sends TERM and waits 10 s", "kills all remaining processes"]);
  const withLine = { stop: { ...spec.stop, command: "stop" } };
  expect(stopSteps(withLine)[0]).toBe("writes “stop” to stdin and waits 30 s");
});

it("restartText and capsText describe restarts and limits", () => {
  expect(restartText({ ...spec.restart, policy: "never" })).toBe("never");
  expect(restartText(spec.restart)).toContain("back-off 1 s to 5 min");
  expect(capsText({})).toBe("none");
  expect(capsText({ memory_bytes: 536_870_912, cpu_percent: 150 })).toBe("512 MiB memory, 150% of one core");
  expect(retentionText(spec.log)).toBe("64.0 MiB, 14 days");
});

it("nextAttempt parses the time of the next attempt", () => {
  expect(nextAttempt("exited 3 times in a row; next attempt at 2026-11-16T07:48:34.110553Z")).toBe(
    "2026-11-16T07:48:34.110553Z",
  );
  expect(nextAttempt("exited 3 times in a row; running again, stable after 60 s")).toBeUndefined();
});
