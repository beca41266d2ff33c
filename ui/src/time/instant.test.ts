import { expect, it } from "vitest";
import { instantIn } from "./instant";

it("instantIn finds the timestamp in a text", () => {
  expect(instantIn("it will be retried at 2026-11-16T11:17:00.255314Z (in 4 min)")).toBe(
    "2026-11-16T11:17:00.255314Z",
  );
  expect(instantIn("no host matches gpu=a100")).toBeUndefined();
});
