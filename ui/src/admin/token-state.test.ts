import { expect, it } from "vitest";
import { tokenState } from "./token-state";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const past = "2026-11-15T11:00:00Z";
const future = "2026-11-15T13:00:00Z";

it.each([
  [{ expires_at: null, revoked_at: null }, "active"],
  [{ expires_at: future, revoked_at: null, uses: 2, used: 1 }, "active"],
  [{ expires_at: past, revoked_at: null }, "expired"],
  [{ expires_at: past, revoked_at: past }, "revoked"],
  [{ expires_at: future, revoked_at: null, uses: 1, used: 1 }, "usedUp"],
] as const)("%o is %s", (token, state) => {
  expect(tokenState(token, NOW)).toBe(state);
});
