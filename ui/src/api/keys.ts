/** Names of cached answers. Everything of an org begins alike, so that it can be dropped at once. */
export const keys = {
  hub: ["hub"] as const,
  me: ["me"] as const,
  orgs: ["admin", "orgs"] as const,
  users: ["admin", "users"] as const,
  loops: ["admin", "loops"] as const,
  org: (slug: string) => ["org", slug] as const,
  settings: (slug: string) => ["org", slug, "settings"] as const,
  status: (slug: string) => ["org", slug, "status"] as const,
  hosts: (slug: string) => ["org", slug, "hosts"] as const,
  host: (slug: string, host: string) => ["org", slug, "host", host] as const,
  hostsOf: (slug: string) => ["org", slug, "host"] as const,
  joinTokens: (slug: string) => ["org", slug, "join-tokens"] as const,
  members: (slug: string) => ["org", slug, "members"] as const,
  invitations: (slug: string) => ["org", slug, "invitations"] as const,
  tokens: (slug: string) => ["org", slug, "tokens"] as const,
  audit: (slug: string) => ["org", slug, "audit"] as const,
};
