import { defaultParseSearch, defaultStringifySearch } from "@tanstack/react-router";

/** Parameters of the viewer that a view does not store. */
const NOT_KEPT = ["org", "tz"];

/** The search parameters that a view stores. */
export function queryOf(search: object): string {
  const kept = Object.entries(search).filter(([name]) => !NOT_KEPT.includes(name));
  return defaultStringifySearch(Object.fromEntries(kept)).replace(/^\?/, "");
}

/** Search parameters of a view, combined with those of the current viewer. */
export function searchOf(query: string, present: object): Record<string, unknown> {
  const own = Object.entries(present).filter(([name]) => NOT_KEPT.includes(name));
  const kept = Object.entries(defaultParseSearch(query)).filter(([name]) => !NOT_KEPT.includes(name));
  // `host` is set even if undefined, because a missing parameter keeps the current host.
  return { host: undefined, ...Object.fromEntries(kept), ...Object.fromEntries(own) };
}
