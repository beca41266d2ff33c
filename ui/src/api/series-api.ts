import type { Client } from "openapi-fetch";
import { answer, client } from "./client";

export type SeriesUnit = "ratio" | "bytes" | "count" | "seconds";

/** Values at equal steps: the one at place `i` belongs to `after + i * step_s`; null where nothing was measured. */
export interface Series {
  name: string;
  unit: SeriesUnit;
  values: (number | null)[];
}

export interface SeriesAnswer {
  after: string;
  before: string;
  step_s: number;
  series: Series[];
}

export interface SeriesSpan {
  after: string;
  before: string;
}

interface SeriesRoute<Path> {
  get: {
    parameters: { path: Path; query: SeriesSpan };
    responses: { 200: { content: { "application/json": SeriesAnswer } } };
  };
}

/** The routes as `schema.d.ts` will name them. */
interface SeriesPaths {
  "/api/v1/orgs/{org}/hosts/{host}/metrics": SeriesRoute<{ org: string; host: string }>;
  "/api/v1/orgs/{org}/servers/{server}/metrics": SeriesRoute<{ org: string; server: string }>;
  "/api/v1/orgs/{org}/jobs/series": SeriesRoute<{ org: string }>;
}

const routes = client as unknown as Client<SeriesPaths>;

/** What was measured over time. Apart from the other routes, so that only pages with charts load it. */
export function seriesApi(org: string) {
  return {
    host: (host: string, query: SeriesSpan) =>
      answer(
        routes.GET("/api/v1/orgs/{org}/hosts/{host}/metrics", { params: { path: { org, host }, query } }),
      ),
    server: (server: string, query: SeriesSpan) =>
      answer(
        routes.GET("/api/v1/orgs/{org}/servers/{server}/metrics", {
          params: { path: { org, server }, query },
        }),
      ),
    jobs: (query: SeriesSpan) =>
      answer(routes.GET("/api/v1/orgs/{org}/jobs/series", { params: { path: { org }, query } })),
  };
}
