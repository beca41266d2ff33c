import { expect, it } from "vitest";
import { madeUp } from "./made-up";
import { complete, fits, statesOf, toggleState } from "./server-filter";

it("fits matches states, hosts and parts of the command", () => {
  const server = madeUp();
  expect(fits(server, undefined)).toBe(true);
  expect(fits(server, "state:running,failed")).toBe(true);
  expect(fits(server, "state:failed")).toBe(false);
  expect(fits(server, "host:web-*")).toBe(true);
  expect(fits(server, "host:web")).toBe(false);
  expect(fits(server, "REDIS 6379")).toBe(true);
  expect(fits(server, "-redis")).toBe(false);
  expect(fits(server, "-state:failed cache")).toBe(true);
});

it("fits matches everything for an incomplete key", () => {
  expect(fits(madeUp(), "state:")).toBe(true);
  expect(fits(madeUp(), "host:")).toBe(true);
});

it("toggleState and complete edit the filter", () => {
  expect(toggleState("cache", "failed")).toBe("state:failed cache");
  expect(statesOf("state:failed,nonsense")).toEqual(["failed"]);
  expect(complete("st", 2, []).words).toEqual(["state:"]);
  expect(complete("host:w", 6, ["web-1", "nas"]).words).toEqual(["web-1"]);
});
