import { adminText } from "../messages/admin";

interface TokenUsage {
  expires_at?: string | null;
  revoked_at?: string | null;
  uses?: number;
  used?: number;
}

export type TokenState = "active" | "usedUp" | "expired" | "revoked";

/** Checks `revoked` first, because a revoked token stays revoked after it expires. */
export function tokenState(token: TokenUsage, now: number): TokenState {
  if (token.revoked_at) return "revoked";
  if (token.uses !== undefined && (token.used ?? 0) >= token.uses) return "usedUp";
  if (token.expires_at && Date.parse(token.expires_at) <= now) return "expired";
  return "active";
}

export function newestFirst<T extends { created_at: string }>(tokens: T[]): T[] {
  return tokens.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
}

export function tokenStateText(state: TokenState): string {
  return adminText.tokens[state];
}
