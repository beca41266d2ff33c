// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { ApiError } from "../api/client";
import { serverFixture } from "../test-support/server-fixture";
import {
  DEFAULTS,
  errorsByPointer,
  formOf,
  isComplete,
  isSecretName,
  patchOf,
  portsOf,
  settingsOf,
} from "./server-form";

it("settings survive a round trip through the form", () => {
  const { folder, user, ...spec } = settingsOf(formOf(serverFixture().spec));
  expect(spec).toEqual(serverFixture().spec);
  expect([folder, user]).toEqual([null, null]);
});

it("patchOf contains only changed settings", () => {
  const server = serverFixture();
  const form = formOf(server.spec, server.name, server.host);
  expect(patchOf(server, form)).toEqual({});
  expect(patchOf(server, { ...form, folder: "/srv/cache", name: "cache-2" })).toEqual({
    folder: "/srv/cache",
    name: "cache-2",
  });
  expect(patchOf(server, { ...form, readyKind: "tcp", readyPort: 6379 })).toEqual({
    ready: { kind: "tcp", port: 6379, timeout_seconds: 60 },
  });
  expect(patchOf(server, { ...form, ports: "80 443", memoryMib: 512 })).toEqual({
    ports: [80, 443],
    caps: { memory_bytes: 536_870_912 },
  });
});

it("settingsOf sends a definition without a command", () => {
  const form = { ...formOf(DEFAULTS), source: "definition" as const, definition: "mc", payload: { port: 1 } };
  expect(settingsOf(form)).toMatchObject({ definition_key: "mc", payload: { port: 1 } });
  expect(settingsOf(form)).not.toHaveProperty("argv");
});

it("isComplete requires name, host and command or definition", () => {
  const form = formOf(DEFAULTS, "cache", "web-1");
  expect(isComplete(form)).toBe(false);
  expect(isComplete({ ...form, command: "redis-server" })).toBe(true);
  expect(isComplete({ ...form, command: "sh -c 'open" })).toBe(false);
  expect(isComplete({ ...form, command: "redis-server", ports: "http" })).toBe(false);
  expect(portsOf("80, 70000")).toBeUndefined();
});

it("errorsByPointer maps validation errors by JSON pointer", () => {
  const problem = {
    type: "",
    title: "",
    status: 422,
    code: "invalid_value",
    detail: "no",
    errors: [{ pointer: "/ready/port", detail: "must be between 1 and 65535" }],
  };
  expect(errorsByPointer(new ApiError(problem))).toEqual({ "/ready/port": "must be between 1 and 65535" });
  expect(errorsByPointer(null)).toEqual({});
});

it("isSecretName matches secret-looking names", () => {
  expect(["API_TOKEN", "DB_PASSWORD", "apikey"].every(isSecretName)).toBe(true);
  expect(isSecretName("MODE")).toBe(false);
});
