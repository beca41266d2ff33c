import { answer, client, sent } from "./client";
import type * as M from "./model";
import { noticeApi } from "./notice-api";
import type { paths } from "./schema";
import { workApi } from "./work-api";

/** Short lists are fetched in one page of at most 1,000 rows. */
const ALL = { query: { limit: 1000 } };

/** API routes outside organizations: public ones, the current user, and the hub. */
export const api = {
  hub: () => answer(client.GET("/api/v1/hub")),
  me: (signal: AbortSignal) => answer(client.GET("/api/v1/me", { signal })) as Promise<M.Me>,
  setPassword: (body: { old: string | null; new: string }) =>
    answer(client.POST("/api/v1/me/password", { body })),
  signOut: () => answer(client.POST("/api/v1/sign-out")),
  signInByPassword: (body: { email: string; password: string }) =>
    answer(client.POST("/api/v1/sign-in/password", { body })),
  signInByLink: (secret: string) => answer(client.POST("/api/v1/sign-in/link", { body: { secret } })),
  createSignInLink: () => answer(client.POST("/api/v1/sign-in/links")),
  viewInvitation: (secret: string) =>
    answer(client.POST("/api/v1/sign-in/invitation/view", { body: { secret } })),
  acceptInvitation: (body: { secret: string; name: string; password: string }) =>
    answer(client.POST("/api/v1/sign-in/invitation", { body })),
  viewDevice: (user_code: string) =>
    answer(client.GET("/api/v1/sign-in/device/{user_code}", { params: { path: { user_code } } })),
  answerDevice: (body: { user_code: string; approve: boolean }) =>
    answer(client.POST("/api/v1/sign-in/device/answer", { body })),
  orgs: () => answer(client.GET("/api/v1/admin/orgs", { params: ALL })),
  createOrg: (body: M.OrgRequest) => answer(client.POST("/api/v1/admin/orgs", { body })),
  removeOrg: (named: string, confirm: string) =>
    answer(client.DELETE("/api/v1/admin/orgs/{named}", { params: { path: { named } }, body: { confirm } })),
  users: () => answer(client.GET("/api/v1/admin/users", { params: ALL })),
  patchUser: (user: string, body: M.UserPatch) =>
    answer(client.PATCH("/api/v1/admin/users/{user}", { params: { path: { user } }, body })),
  loops: () => answer(client.GET("/api/v1/admin/loops")) as Promise<M.HubLoops>,
  workers: () => answer(client.GET("/api/v1/admin/workers")) as Promise<{ items: M.Worker[] }>,
  everyQueue: () =>
    answer(client.GET("/api/v1/admin/jobs/summary", { params: ALL })) as Promise<M.Page<M.OrgJobs>>,
  everyDefinition: () =>
    answer(client.GET("/api/v1/admin/jobs/definitions", { params: ALL })) as Promise<M.Page<M.Definition>>,
  putDefinition: (body: Record<string, unknown>) =>
    answer(
      client.POST("/api/v1/admin/jobs/definitions", { body: body as never }),
    ) as Promise<M.DefinitionPut>,
  patchDefinition: (definition: string, body: Record<string, unknown>) =>
    answer(
      client.PATCH("/api/v1/admin/jobs/definitions/{definition}", {
        params: { path: { definition } },
        body: body as never,
      }),
    ) as Promise<M.DefinitionPut>,
  definitionHistory: (definition: string) =>
    answer(
      client.GET("/api/v1/admin/jobs/definitions/{definition}/history", { params: { path: { definition } } }),
    ) as Promise<{ items: M.DefinitionVersion[] }>,
};

type QueryOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? { [Key in keyof Query]: Query[Key] | undefined }
  : never;

/** API routes of one organization. */
export function orgApi(org: string) {
  const here = { path: { org } };
  const all = { ...here, ...ALL };
  const at = (host: string) => ({ params: { path: { org, host } } });
  return {
    ...workApi(org),
    ...noticeApi(org),

    org: () => answer(client.GET("/api/v1/orgs/{org}", { params: here })),
    patchOrg: (body: M.OrgPatch) => answer(client.PATCH("/api/v1/orgs/{org}", { params: here, body })),
    status: () => answer(client.GET("/api/v1/orgs/{org}/status", { params: here })) as Promise<M.Status>,

    hosts: (query: QueryOf<"/api/v1/orgs/{org}/hosts">, signal: AbortSignal) =>
      answer(
        client.GET("/api/v1/orgs/{org}/hosts", { params: { ...here, query: sent(query) }, signal }),
      ) as Promise<M.Page<M.Host>>,
    host: (host: string) => detail(client.GET("/api/v1/orgs/{org}/hosts/{host}", at(host))),
    patchHost: (host: string, body: M.HostPatch) =>
      detail(client.PATCH("/api/v1/orgs/{org}/hosts/{host}", { ...at(host), body })),
    pauseHost: (host: string, body: M.HostMarkRequest) =>
      detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/pause", { ...at(host), body })),
    resumeHost: (host: string) => detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/resume", at(host))),
    degradeHost: (host: string, body: M.HostMarkRequest) =>
      detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/mark-degraded", { ...at(host), body })),
    clearHost: (host: string) => detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/unmark", at(host))),
    rotateKey: (host: string) => detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/rotate-key", at(host))),
    revokeHost: (host: string) => detail(client.POST("/api/v1/orgs/{org}/hosts/{host}/revoke", at(host))),
    timeline: (host: string, from?: string) =>
      answer(
        client.GET("/api/v1/orgs/{org}/hosts/{host}/timeline", {
          params: { path: { org, host }, query: sent({ from }) },
        }),
      ) as Promise<M.Timeline>,
    hostSchedules: (host: string) =>
      answer(client.GET("/api/v1/orgs/{org}/hosts/{host}/schedules", at(host))) as Promise<M.HostSchedules>,
    removeHost: (host: string) => answer(client.DELETE("/api/v1/orgs/{org}/hosts/{host}", at(host))),

    joinTokens: () => answer(client.GET("/api/v1/orgs/{org}/join-tokens", { params: all })),
    createJoinToken: (body: M.JoinTokenRequest) =>
      answer(client.POST("/api/v1/orgs/{org}/join-tokens", { params: here, body })),
    removeJoinToken: (join_token: string) =>
      answer(
        client.DELETE("/api/v1/orgs/{org}/join-tokens/{join_token}", {
          params: { path: { org, join_token } },
        }),
      ),

    members: () =>
      answer(client.GET("/api/v1/orgs/{org}/members", { params: all })) as Promise<M.Page<M.Member>>,
    patchMember: (user: string, role: M.MemberRole) =>
      answer(
        client.PATCH("/api/v1/orgs/{org}/members/{user}", {
          params: { path: { org, user } },
          body: { role },
        }),
      ),
    removeMember: (user: string) =>
      answer(client.DELETE("/api/v1/orgs/{org}/members/{user}", { params: { path: { org, user } } })),
    invitations: () =>
      answer(client.GET("/api/v1/orgs/{org}/invitations", { params: all })) as Promise<M.Page<M.Invitation>>,
    invite: (body: { email: string; role: M.MemberRole }) =>
      answer(
        client.POST("/api/v1/orgs/{org}/invitations", { params: here, body }),
      ) as Promise<M.InvitationCreated>,
    removeInvitation: (invitation: string) =>
      answer(
        client.DELETE("/api/v1/orgs/{org}/invitations/{invitation}", {
          params: { path: { org, invitation } },
        }),
      ),

    tokens: () =>
      answer(client.GET("/api/v1/orgs/{org}/tokens", { params: all })) as Promise<M.Page<M.Token>>,
    createToken: (body: M.TokenRequest) =>
      answer(client.POST("/api/v1/orgs/{org}/tokens", { params: here, body })) as Promise<M.TokenCreated>,
    removeToken: (token: string) =>
      answer(client.DELETE("/api/v1/orgs/{org}/tokens/{token}", { params: { path: { org, token } } })),

    audit: (query: QueryOf<"/api/v1/orgs/{org}/audit">) =>
      answer(client.GET("/api/v1/orgs/{org}/audit", { params: { ...here, query: sent(query) } })) as Promise<
        M.Page<M.AuditEntry>
      >,
    sync: () => answer(client.GET("/api/v1/orgs/{org}/sync", { params: here })) as Promise<M.SyncStatus>,
    verifyAudit: () => answer(client.GET("/api/v1/orgs/{org}/audit/verify", { params: here })),
  };
}

export type OrgApi = ReturnType<typeof orgApi>;

function detail(call: Parameters<typeof answer>[0]): Promise<M.HostDetail> {
  return answer(call) as Promise<M.HostDetail>;
}
