import { expect, it } from "vitest";
import { runCommandLine } from "./cli";
import { ANY_TARGET } from "./target";

it("runCommandLine quotes for a shell", () => {
  expect(
    runCommandLine("hello", { name: "it's me", n: 3 }, { ...ANY_TARGET, kind: "host", host: "web-1" }),
  ).toBe("hostler run hello 'name=it'\\''s me' n=3 --on web-1 -f");
  expect(runCommandLine("hello", {}, { ...ANY_TARGET, kind: "selector", selector: "env=prod,!gpu" })).toBe(
    "hostler run hello -l 'env=prod,!gpu' -f",
  );
});
