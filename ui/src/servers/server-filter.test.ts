import { expect, it } from "vitest";
import { serverFixture } from "../test-support/server-fixture";
import { completeServerFilter, matchesFilter, statesOf, toggleState } from "./server-filter";

it("matchesFilter matches states, hosts and parts of the command", () => {
  const server = serverFixture();
  expect(matchesFilter(server, undefined)).toBe(true);
  expect(matchesFilter(server, "state:running,failed")).toBe(true);
  expect(matchesFilter(server, "state:failed")).toBe(false);
  expect(matchesFilter(server, "host:web-*")).toBe(true);
  expect(matchesFilter(server, "host:web")).toBe(false);
  expect(matchesFilter(server, "REDIS 6379")).toBe(true);
  expect(matchesFilter(server, "-redis")).toBe(false);
  expect(matchesFilter(server, "-state:failed cache")).toBe(true);
});

it("matchesFilter matches everything for an incomplete key", () => {
  expect(matchesFilter(serverFixture(), "state:")).toBe(true);
  expect(matchesFilter(serverFixture(), "host:")).toBe(true);
});

it("toggleState and completeServerFilter edit the filter", () => {
  expect(toggleState("cache", "failed")).toBe("state:failed cache");
  expect(statesOf("state:failed,nonsense")).toEqual(["failed"]);
  expect(completeServerFilter("st", 2, []).values).toEqual(["state:"]);
  expect(completeServerFilter("host:w", 6, ["web-1", "nas"]).values).toEqual(["web-1"]);
});
