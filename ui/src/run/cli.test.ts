import { expect, it } from "vitest";
import { commandOf } from "./cli";
import { ANYWHERE } from "./target";

it("commandOf quotes for a shell", () => {
  expect(commandOf("hello", { name: "it's me", n: 3 }, { ...ANYWHERE, kind: "host", host: "web-1" })).toBe(
    "hostler run hello 'name=it'\\''s me' n=3 --on web-1 -f",
  );
  expect(commandOf("hello", {}, { ...ANYWHERE, kind: "selector", selector: "env=prod,!gpu" })).toBe(
    "hostler run hello -l 'env=prod,!gpu' -f",
  );
});
