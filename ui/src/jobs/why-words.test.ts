import { expect, it } from "vitest";
import { saidOnce } from "./why-words";

it.each([
  [
    "host nas is asleep: asleep · last seen 9 h ago · will catch up on return; it will run on its return",
    "host nas is asleep · last seen 9 h ago; it will run on its return",
  ],
  [
    "host nas is asleep (3 hosts match): asleep · last seen 9 h ago · will catch up on return; it will run on its return",
    "host nas is asleep (3 hosts match) · last seen 9 h ago; it will run on its return",
  ],
  [
    "host pi is paused: paused: new disk; it will run when the host is resumed",
    "host pi is paused: new disk; it will run when the host is resumed",
  ],
  [
    "host db-2 is offline: not heard from for 18 min; it will run on its return",
    "host db-2 is offline: not heard from for 18 min; it will run on its return",
  ],
  ["no host matches gpu=a100", "no host matches gpu=a100"],
])("says once what the hub says twice: %s", (told, shown) => {
  expect(saidOnce(told)).toBe(shown);
});
