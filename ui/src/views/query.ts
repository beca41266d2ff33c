import { defaultParseSearch, defaultStringifySearch } from "@tanstack/react-router";

/** What belongs to who looks, not to what they look at. */
const NOT_KEPT = ["org", "tz"];

/** An address's search as a view keeps it. */
export function queryOf(search: object): string {
  const kept = Object.entries(search).filter(([name]) => !NOT_KEPT.includes(name));
  return defaultStringifySearch(Object.fromEntries(kept)).replace(/^\?/, "");
}

/** The search that a view stands for, seen by whoever looks now. */
export function searchOf(query: string, present: object): Record<string, unknown> {
  const own = Object.entries(present).filter(([name]) => NOT_KEPT.includes(name));
  const kept = Object.entries(defaultParseSearch(query)).filter(([name]) => !NOT_KEPT.includes(name));
  // The host is named even when there is none: what is not named is kept from the present address.
  return { host: undefined, ...Object.fromEntries(kept), ...Object.fromEntries(own) };
}
