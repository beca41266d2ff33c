import { expect, it } from "vitest";
import { outcomeOf, outcomeStatus } from "./run-outcome";

it("outcomeOf distinguishes how a run ended", () => {
  expect(outcomeOf({ status: "running", is_oom: false })).toBe("running");
  expect(outcomeOf({ status: "succeeded", is_oom: false, exit_code: 0 })).toBe("exited");
  expect(outcomeOf({ status: "succeeded", is_oom: false, signal: 15 })).toBe("stopped");
  expect(outcomeOf({ status: "failed", is_oom: false, exit_code: 3 })).toBe("exited");
  expect(outcomeOf({ status: "failed", is_oom: false, signal: 11 })).toBe("crashed");
  expect(outcomeOf({ status: "failed", is_oom: true, signal: 9 })).toBe("oom");
  expect(outcomeOf({ status: "not_started", is_oom: false })).toBe("not_started");
});

it("outcomeStatus shows crashes as failed", () => {
  expect(outcomeStatus({ status: "succeeded", is_oom: false, signal: 15 })).toBe("succeeded");
  expect(outcomeStatus({ status: "failed", is_oom: false, exit_code: 3 })).toBe("failed");
});
