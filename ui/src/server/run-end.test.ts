import { expect, it } from "vitest";
import { endFace, endOf } from "./run-end";

it("endOf distinguishes how a run ended", () => {
  expect(endOf({ status: "running", is_oom: false })).toBe("running");
  expect(endOf({ status: "succeeded", is_oom: false, exit_code: 0 })).toBe("exited");
  expect(endOf({ status: "succeeded", is_oom: false, signal: 15 })).toBe("asked");
  expect(endOf({ status: "failed", is_oom: false, exit_code: 3 })).toBe("exited");
  expect(endOf({ status: "failed", is_oom: false, signal: 11 })).toBe("crashed");
  expect(endOf({ status: "failed", is_oom: true, signal: 9 })).toBe("oom");
  expect(endOf({ status: "not_started", is_oom: false })).toBe("not_started");
});

it("endFace shows crashes as failed", () => {
  expect(endFace({ status: "succeeded", is_oom: false, signal: 15 })).toBe("succeeded");
  expect(endFace({ status: "failed", is_oom: false, exit_code: 3 })).toBe("failed");
});
