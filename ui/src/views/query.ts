import { defaultParseSearch, defaultStringifySearch } from "@tanstack/react-router";

/** Parameters of the viewer that a view does not store. */
const VIEWER_PARAMETERS = ["org", "tz"];

/** The search parameters that a view stores. */
export function queryOf(search: object): string {
  const stored = Object.entries(search).filter(([name]) => !VIEWER_PARAMETERS.includes(name));
  return defaultStringifySearch(Object.fromEntries(stored)).replace(/^\?/, "");
}

/** Search parameters of a view, combined with those of the current viewer. */
export function searchOf(query: string, current: object): Record<string, unknown> {
  const viewer = Object.entries(current).filter(([name]) => VIEWER_PARAMETERS.includes(name));
  const stored = Object.entries(defaultParseSearch(query)).filter(
    ([name]) => !VIEWER_PARAMETERS.includes(name),
  );
  // `host` is set even if undefined, because a missing parameter keeps the current host.
  return { host: undefined, ...Object.fromEntries(stored), ...Object.fromEntries(viewer) };
}
