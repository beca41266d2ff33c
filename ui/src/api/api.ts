import { request } from "./client";
import type * as T from "./types";

const seg = encodeURIComponent;

/** Routes anybody may call, and those about the caller. */
export const api = {
  hub: () => request<T.HubInfo>("GET", "hub"),
  me: (signal?: AbortSignal) => request<T.Me>("GET", "me", { signal }),
  setPassword: (body: { old: string | null; new: string }) => request<void>("POST", "me/password", { body }),
  signOut: () => request<void>("POST", "sign-out"),
  signInByPassword: (body: { email: string; password: string }) =>
    request<void>("POST", "sign-in/password", { body }),
  signInByLink: (secret: string) => request<void>("POST", "sign-in/link", { body: { secret } }),
  viewInvitation: (secret: string) =>
    request<T.InvitationView>("POST", "sign-in/invitation/view", { body: { secret } }),
  acceptInvitation: (body: { secret: string; name: string; password: string }) =>
    request<void>("POST", "sign-in/invitation", { body }),
  viewDevice: (code: string) => request<T.DeviceView>("GET", `sign-in/device/${seg(code)}`),
  answerDevice: (body: { user_code: string; approve: boolean }) =>
    request<void>("POST", "sign-in/device/answer", { body }),
  orgs: () => request<T.Page<T.Org>>("GET", "admin/orgs", { query: { limit: 1000 } }),
  createOrg: (body: T.OrgRequest) => request<T.Org>("POST", "admin/orgs", { body }),
  users: () => request<T.Page<T.User>>("GET", "admin/users", { query: { limit: 1000 } }),
  loops: () => request<T.HubLoops>("GET", "admin/loops"),
};

interface HostListQuery {
  status?: string | undefined;
  labels?: string | undefined;
  name?: string | undefined;
  cursor?: string | undefined;
  limit?: number;
}

interface AuditListQuery {
  actor?: string | undefined;
  action?: string | undefined;
  since?: string | undefined;
  cursor?: string | undefined;
  limit?: number;
}

type HostAct = "resume" | "clear" | "rotate-key" | "revoke";

/** Routes about one org. */
export function orgApi(slug: string) {
  const org = `orgs/${seg(slug)}`;
  const host = (id: string) => `${org}/hosts/${seg(id)}`;
  return {
    org: () => request<T.Org>("GET", org),
    patchOrg: (body: T.OrgPatch) => request<T.Org>("PATCH", org, { body }),
    status: () => request<T.Status>("GET", `${org}/status`),
    hosts: (query: HostListQuery, signal?: AbortSignal) =>
      request<T.Page<T.Host>>("GET", `${org}/hosts`, { query: { ...query }, signal }),
    host: (id: string) => request<T.HostDetail>("GET", host(id)),
    patchHost: (id: string, body: T.HostPatch) => request<T.HostDetail>("PATCH", host(id), { body }),
    removeHost: (id: string) => request<void>("DELETE", host(id)),
    markHost: (id: string, mark: "pause" | "degrade", body: T.HostMarkRequest) =>
      request<T.HostDetail>("POST", `${host(id)}/${mark}`, { body }),
    actOnHost: (id: string, act: HostAct) => request<T.HostDetail>("POST", `${host(id)}/${act}`),
    joinTokens: () => request<T.Page<T.JoinToken>>("GET", `${org}/join-tokens`, { query: { limit: 1000 } }),
    createJoinToken: (body: T.JoinTokenRequest) =>
      request<T.JoinTokenCreated>("POST", `${org}/join-tokens`, { body }),
    removeJoinToken: (id: string) => request<void>("DELETE", `${org}/join-tokens/${seg(id)}`),
    members: () => request<T.Page<T.Member>>("GET", `${org}/members`, { query: { limit: 1000 } }),
    patchMember: (id: string, role: T.MemberRole) =>
      request<void>("PATCH", `${org}/members/${seg(id)}`, { body: { role } }),
    removeMember: (id: string) => request<void>("DELETE", `${org}/members/${seg(id)}`),
    invitations: () => request<T.Page<T.Invitation>>("GET", `${org}/invitations`, { query: { limit: 1000 } }),
    invite: (body: { email: string; role: T.MemberRole }) =>
      request<T.InvitationCreated>("POST", `${org}/invitations`, { body }),
    removeInvitation: (id: string) => request<void>("DELETE", `${org}/invitations/${seg(id)}`),
    tokens: () => request<T.Page<T.Token>>("GET", `${org}/tokens`, { query: { limit: 1000 } }),
    createToken: (body: T.TokenRequest) => request<T.TokenCreated>("POST", `${org}/tokens`, { body }),
    removeToken: (id: string) => request<void>("DELETE", `${org}/tokens/${seg(id)}`),
    audit: (query: AuditListQuery) =>
      request<T.Page<T.AuditEntry>>("GET", `${org}/audit`, { query: { ...query } }),
    verifyAudit: () => request<T.AuditVerdict>("GET", `${org}/audit/verify`),
  };
}

export type OrgApi = ReturnType<typeof orgApi>;
