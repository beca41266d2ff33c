import { alertApi } from "./alert-api";
import { client, definedOnly, unwrap } from "./client";
import { jobApi } from "./job-api";
import type * as M from "./model";
import type { paths } from "./schema";
import { triggerApi } from "./trigger-api";

/** Short lists are fetched in one page of at most 1,000 rows. */
const ALL = { query: { limit: 1000 } };

/** API routes outside organizations: public ones, the current user, and the hub. */
export const api = {
  hub: () => unwrap(client.GET("/api/v1/hub")),
  me: (signal: AbortSignal) => unwrap(client.GET("/api/v1/me", { signal })) as Promise<M.Me>,
  setPassword: (body: { old: string | null; new: string }) =>
    unwrap(client.POST("/api/v1/me/password", { body })),
  signOut: () => unwrap(client.POST("/api/v1/sign-out")),
  signInByPassword: (body: { email: string; password: string }) =>
    unwrap(client.POST("/api/v1/sign-in/password", { body })),
  signInByLink: (secret: string) => unwrap(client.POST("/api/v1/sign-in/link", { body: { secret } })),
  createSignInLink: () => unwrap(client.POST("/api/v1/sign-in/links")),
  viewInvitation: (secret: string) =>
    unwrap(client.POST("/api/v1/sign-in/invitation/view", { body: { secret } })),
  acceptInvitation: (body: { secret: string; name: string; password: string }) =>
    unwrap(client.POST("/api/v1/sign-in/invitation", { body })),
  viewDevice: (user_code: string) =>
    unwrap(client.GET("/api/v1/sign-in/device/{user_code}", { params: { path: { user_code } } })),
  answerDevice: (body: { user_code: string; approve: boolean; role: M.Role }) =>
    unwrap(client.POST("/api/v1/sign-in/device/answer", { body })),
  orgs: () => unwrap(client.GET("/api/v1/admin/orgs", { params: ALL })),
  createOrg: (body: M.OrgRequest) => unwrap(client.POST("/api/v1/admin/orgs", { body })),
  removeOrg: (named: string, confirm: string) =>
    unwrap(client.DELETE("/api/v1/admin/orgs/{named}", { params: { path: { named } }, body: { confirm } })),
  users: () => unwrap(client.GET("/api/v1/admin/users", { params: ALL })),
  patchUser: (user: string, body: M.UserPatch) =>
    unwrap(client.PATCH("/api/v1/admin/users/{user}", { params: { path: { user } }, body })),
  loops: () => unwrap(client.GET("/api/v1/admin/loops")) as Promise<M.HubLoops>,
  workers: () => unwrap(client.GET("/api/v1/admin/workers")) as Promise<{ items: M.Worker[] }>,
  everyQueue: () =>
    unwrap(client.GET("/api/v1/admin/jobs/summary", { params: ALL })) as Promise<M.Page<M.OrgJobs>>,
  everyDefinition: () =>
    unwrap(client.GET("/api/v1/admin/jobs/definitions", { params: ALL })) as Promise<M.Page<M.Definition>>,
  putDefinition: (body: Record<string, unknown>) =>
    unwrap(
      client.POST("/api/v1/admin/jobs/definitions", { body: body as never }),
    ) as Promise<M.DefinitionPut>,
  patchDefinition: (definition: string, body: Record<string, unknown>) =>
    unwrap(
      client.PATCH("/api/v1/admin/jobs/definitions/{definition}", {
        params: { path: { definition } },
        body: body as never,
      }),
    ) as Promise<M.DefinitionPut>,
  definitionHistory: (definition: string) =>
    unwrap(
      client.GET("/api/v1/admin/jobs/definitions/{definition}/history", { params: { path: { definition } } }),
    ) as Promise<{ items: M.DefinitionVersion[] }>,
};

type QueryOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? { [Key in keyof Query]: Query[Key] | undefined }
  : never;

/** API routes of one organization. */
export function orgApi(org: string) {
  const inOrg = { path: { org } };
  const all = { ...inOrg, ...ALL };
  const at = (host: string) => ({ params: { path: { org, host } } });
  return {
    ...jobApi(org),
    ...triggerApi(org),
    ...alertApi(org),

    org: () => unwrap(client.GET("/api/v1/orgs/{org}", { params: inOrg })),
    patchOrg: (body: M.OrgPatch) => unwrap(client.PATCH("/api/v1/orgs/{org}", { params: inOrg, body })),
    status: () => unwrap(client.GET("/api/v1/orgs/{org}/status", { params: inOrg })) as Promise<M.Status>,

    hosts: (query: QueryOf<"/api/v1/orgs/{org}/hosts">, signal: AbortSignal) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/hosts", { params: { ...inOrg, query: definedOnly(query) }, signal }),
      ) as Promise<M.Page<M.Host>>,
    host: (host: string) => detail(client.GET("/api/v1/orgs/{org}/hosts/{host}", at(host))),
    patchHost: (host: string, body: M.HostPatch) =>
      detail(client.PATCH("/api/v1/orgs/{org}/hosts/{host}", { ...at(host), body })),
    pauseHost: (host: string, body: M.HostMarkRequest) =>
      detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/pause", { ...at(host), body })),
    resumeHost: (host: string) => detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/resume", at(host))),
    markHostDegraded: (host: string, body: M.HostMarkRequest) =>
      detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/mark-degraded", { ...at(host), body })),
    unmarkHost: (host: string) => detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/unmark", at(host))),
    rotateKey: (host: string) => detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/rotate-key", at(host))),
    revokeHost: (host: string) => detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/revoke", at(host))),
    timeline: (host: string, from?: string) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/hosts/{host}/timeline", {
          params: { path: { org, host }, query: definedOnly({ from }) },
        }),
      ) as Promise<M.Timeline>,
    hostSchedules: (host: string) =>
      unwrap(client.GET("/api/v1/orgs/{org}/hosts/{host}/schedules", at(host))) as Promise<M.HostSchedules>,
    removeHost: (host: string) => unwrap(client.DELETE("/api/v1/orgs/{org}/hosts/{host}", at(host))),

    joinTokens: () => unwrap(client.GET("/api/v1/orgs/{org}/join-tokens", { params: all })),
    createJoinToken: (body: M.JoinTokenRequest) =>
      unwrap(client.POST("/api/v1/orgs/{org}/join-tokens", { params: inOrg, body })),
    removeJoinToken: (join_token: string) =>
      unwrap(
        client.DELETE("/api/v1/orgs/{org}/join-tokens/{join_token}", {
          params: { path: { org, join_token } },
        }),
      ),

    members: () =>
      unwrap(client.GET("/api/v1/orgs/{org}/members", { params: all })) as Promise<M.Page<M.Member>>,
    patchMember: (user: string, role: M.MemberRole) =>
      unwrap(
        client.PATCH("/api/v1/orgs/{org}/members/{user}", {
          params: { path: { org, user } },
          body: { role },
        }),
      ),
    removeMember: (user: string) =>
      unwrap(client.DELETE("/api/v1/orgs/{org}/members/{user}", { params: { path: { org, user } } })),
    invitations: () =>
      unwrap(client.GET("/api/v1/orgs/{org}/invitations", { params: all })) as Promise<M.Page<M.Invitation>>,
    invite: (body: { email: string; role: M.MemberRole }) =>
      unwrap(
        client.POST("/api/v1/orgs/{org}/invitations", { params: inOrg, body }),
      ) as Promise<M.InvitationCreated>,
    removeInvitation: (invitation: string) =>
      unwrap(
        client.DELETE("/api/v1/orgs/{org}/invitations/{invitation}", {
          params: { path: { org, invitation } },
        }),
      ),

    tokens: () =>
      unwrap(client.GET("/api/v1/orgs/{org}/tokens", { params: all })) as Promise<M.Page<M.Token>>,
    createToken: (body: M.TokenRequest) =>
      unwrap(client.POST("/api/v1/orgs/{org}/tokens", { params: inOrg, body })) as Promise<M.TokenCreated>,
    removeToken: (token: string) =>
      unwrap(client.DELETE("/api/v1/orgs/{org}/tokens/{token}", { params: { path: { org, token } } })),

    audit: (query: QueryOf<"/api/v1/orgs/{org}/audit">) =>
      unwrap(
        client.GET("/api/v1/orgs/{org}/audit", { params: { ...inOrg, query: definedOnly(query) } }),
      ) as Promise<M.Page<M.AuditEntry>>,
    sync: () => unwrap(client.GET("/api/v1/orgs/{org}/sync", { params: inOrg })) as Promise<M.SyncStatus>,
    verifyAudit: () => unwrap(client.GET("/api/v1/orgs/{org}/audit/verify", { params: inOrg })),
  };
}

export type OrgApi = ReturnType<typeof orgApi>;

function detail(call: Parameters<typeof unwrap>[0]): Promise<M.HostDetail> {
  return unwrap(call) as Promise<M.HostDetail>;
}
