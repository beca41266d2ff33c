import { answer, client, sent } from "./client";
import type * as M from "./model";

export interface ConsoleQuery {
  run: number;
  after?: number;
  tail?: number;
  limit?: number;
  /** Long poll: seconds to wait for the first line. */
  wait?: number;
}

const PAGE_SIZE = 1000;

/** API routes for servers. A separate file, so that only server pages load it. */
export function serverApi(org: string) {
  const here = { path: { org } };
  const of = (server: string) => ({ params: { path: { org, server } } });
  const page = (cursor: string | undefined) =>
    answer(
      client.GET("/api/v1/orgs/{org}/servers", {
        params: { ...here, query: sent({ cursor, limit: PAGE_SIZE }) },
      }),
    ) as Promise<M.Page<M.Server>>;
  return {
    /** Fetches all pages; the hub limits the number of servers. */
    servers: async (): Promise<M.Server[]> => {
      const found: M.Server[] = [];
      let cursor: string | undefined;
      do {
        const { items, next } = await page(cursor);
        found.push(...items);
        cursor = next ?? undefined;
      } while (cursor);
      return found;
    },
    server: (server: string) =>
      answer(client.GET("/api/v1/orgs/{org}/servers/{server}", of(server))) as Promise<M.Server>,
    create: (body: M.ServerRequest) =>
      answer(
        client.POST("/api/v1/orgs/{org}/servers", { params: here, body: body as never }),
      ) as Promise<M.Server>,
    patch: (server: string, body: M.ServerRequest) =>
      answer(
        client.PATCH("/api/v1/orgs/{org}/servers/{server}", { ...of(server), body: body as never }),
      ) as Promise<M.Server>,
    /** Also cancels waiting jobs of the server and stops it. */
    remove: (server: string) =>
      answer(
        client.DELETE("/api/v1/orgs/{org}/servers/{server}", {
          params: { path: { org, server }, query: { cancel_jobs: true } },
        }),
      ),
    act: (server: string, act: M.ServerAct) =>
      answer(
        client.POST(`/api/v1/orgs/{org}/servers/{server}/${act}`, { ...of(server), body: {} }),
      ) as Promise<M.ServerActed>,
    kill: (server: string) => answer(client.POST("/api/v1/orgs/{org}/servers/{server}/kill", of(server))),
    input: (server: string, line: string) =>
      answer(client.POST("/api/v1/orgs/{org}/servers/{server}/input", { ...of(server), body: { line } })),
    runs: (server: string, cursor?: string) =>
      answer(
        client.GET("/api/v1/orgs/{org}/servers/{server}/runs", {
          params: { path: { org, server }, query: sent({ cursor, limit: 100 }) },
        }),
      ) as Promise<M.Page<M.ServerRun>>,
    console: (server: string, query: ConsoleQuery, signal: AbortSignal) =>
      answer(
        client.GET("/api/v1/orgs/{org}/servers/{server}/console", {
          params: { path: { org, server }, query },
          signal,
        }),
      ) as Promise<M.ConsolePage>,
  };
}
