import { describe, expect, it } from "vitest";
import { HOST_STATUSES, hasFreshMetrics, hostTone, isHighlightedHost, reasonAfterWord } from "./status";

describe("status", () => {
  it("has a tone for each", () => {
    expect(HOST_STATUSES.map(hostTone)).toEqual(["ok", "warn", "bad", "quiet", "sleep", "quiet", "quiet"]);
  });

  it("highlights only statuses that need action", () => {
    expect(HOST_STATUSES.filter(isHighlightedHost)).toEqual(["degraded", "offline"]);
  });

  it("treats metrics of disconnected hosts as stale", () => {
    expect(HOST_STATUSES.filter(hasFreshMetrics)).toEqual(["online", "degraded", "paused"]);
  });
});

describe("reasonAfterWord", () => {
  it.each([
    ["online", "connected", ""],
    ["online", "runner disconnected (stop); offline soon", " · runner disconnected (stop); offline soon"],
    [
      "asleep",
      "asleep · last seen 9 h ago · will catch up on return",
      " · last seen 9 h ago · will catch up on return",
    ],
    ["paused", "paused: new disk", ": new disk"],
    ["offline", "no heartbeat for 18 min", " · no heartbeat for 18 min"],
    ["revoked", "", ""],
  ] as const)("%s, %s", (status, status_reason, rest) => {
    expect(reasonAfterWord({ status, status_reason })).toBe(rest);
  });
});
