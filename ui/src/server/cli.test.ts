// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { commandOf } from "./cli";
import { DEFAULTS, formOf } from "./server-form";

const form = { ...formOf(DEFAULTS, "cache", "web-1"), command: "redis-server --port 6379" };

it("commandOf omits default settings", () => {
  expect(commandOf(form, true)).toBe(
    "hostler server create cache --on web-1 --start -- redis-server --port 6379",
  );
});

it("commandOf uses flags, and --set for the rest", () => {
  const line = commandOf(
    {
      ...form,
      readyKind: "tcp",
      readyPort: 6379,
      readyTimeout: 300,
      stopCommand: "stop",
      loopAfter: 3,
      memoryMib: 1,
      env: [
        { id: 0, name: "MODE", value: "a b" },
        { id: 1, name: "API_TOKEN", value: "abc" },
      ],
    },
    false,
  );
  expect(line).toContain("--env 'MODE=a b' --env 'API_TOKEN=…'");
  expect(line).toContain("--ready-tcp 6379 --ready-within 300s --stop-command stop");
  expect(line).toContain(`--set '{"restart":{"loop_after":3},"caps":{"memory_bytes":1048576}}'`);
  expect(line).not.toContain("--start ");
  expect(line).not.toContain("abc");
});

it("commandOf passes the payload of a definition", () => {
  const line = commandOf(
    { ...form, source: "definition", definition: "mc", payload: { port: 25565 } },
    false,
  );
  expect(line).toBe("hostler server create cache --on web-1 --definition mc --with port=25565");
});
