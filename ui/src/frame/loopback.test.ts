import { expect, it } from "vitest";
import { isLoopback } from "./loopback";

it.each([
  ["localhost", true],
  ["hub.localhost", true],
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["[::1]", true],
  ["192.168.1.4", false],
  ["127.0.0.1.example.net", false],
  ["hub.example.net", false],
])("%s", (hostname, is) => {
  expect(isLoopback(hostname)).toBe(is);
});
