import { client, unwrap } from "./client";
import type { components } from "./schema";

export type SeriesUnit = "ratio" | "bytes" | "count" | "seconds";
/** `values[i]` belongs to `after + i * step_s`; null: not measured. */
export type Series = Omit<components["schemas"]["Series"], "unit"> & { unit: SeriesUnit };
export type SeriesAnswer = Omit<components["schemas"]["SeriesSet"], "series"> & { series: Series[] };

export interface SeriesSpan {
  after: string;
  before: string;
}

/** The OpenAPI document declares units as plain strings. */
const typed = (set: Promise<components["schemas"]["SeriesSet"]>) => set as Promise<SeriesAnswer>;

/** API routes for time series. A separate file, so that only pages with charts load it. */
export function seriesApi(org: string) {
  return {
    host: (host: string, query: SeriesSpan) =>
      typed(
        unwrap(
          client.GET("/api/v1/orgs/{org}/hosts/{host}/metrics", { params: { path: { org, host }, query } }),
        ),
      ),
    server: (server: string, query: SeriesSpan) =>
      typed(
        unwrap(
          client.GET("/api/v1/orgs/{org}/servers/{server}/metrics", {
            params: { path: { org, server }, query },
          }),
        ),
      ),
    jobs: (query: SeriesSpan) =>
      typed(unwrap(client.GET("/api/v1/orgs/{org}/jobs/series", { params: { path: { org }, query } }))),
  };
}
