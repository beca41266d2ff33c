import { client, definedOnly, unwrap } from "./client";
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
  const inOrg = { path: { org } };
  const of = (server: string) => ({ params: { path: { org, server } } });
  const page = (cursor: string | undefined) =>
    unwrap(
      client.GET("/api/v1/orgs/{org}/servers", {
        params: { ...inOrg, query: definedOnly({ cursor, limit: PAGE_SIZE }) },
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
      unwrap(client.GET("/api/v1/orgs/{org}/servers/{server}", of(server))) as Promise<M.Server>,
    create: (body: M.ServerRequest) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/servers", { params: inOrg, body: body as never }),
      ) as Promise<M.Server>,
    patch: (server: string, body: M.ServerRequest) =>
      unwrap(
        client.PATCH("/api/v1/orgs/{org}/servers/{server}", { ...of(server), body: body as never }),
      ) as Promise<M.Server>,
    /** Also cancels waiting jobs of the server and stops it. */
    remove: (server: string) =>
      unwrap(
        client.DELETE("/api/v1/orgs/{org}/servers/{server}", {
          params: { path: { org, server }, query: { cancel_jobs: true } },
        }),
      ),
    control: (server: string, action: M.ServerAction) =>
      unwrap(
        client.POST(`/api/v1/orgs/{org}/servers/{server}/${action}`, { ...of(server), body: {} }),
      ) as Promise<M.ServerActed>,
    kill: (server: string) => unwrap(client.POST("/api/v1/orgs/{org}/servers/{server}/kill", of(server))),
    input: (server: string, line: string) =>
      unwrap(client.POST("/api/v1/orgs/{org}/servers/{server}/input", { ...of(server), body: { line } })),
    runs: (server: string, cursor?: string) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/servers/{server}/runs", {
          params: { path: { org, server }, query: definedOnly({ cursor, limit: 100 }) },
        }),
      ) as Promise<M.Page<M.ServerRun>>,
    console: (server: string, query: ConsoleQuery, signal: AbortSignal) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/servers/{server}/console", {
          params: { path: { org, server }, query },
          signal,
        }),
      ) as Promise<M.ConsolePage>,
  };
}
