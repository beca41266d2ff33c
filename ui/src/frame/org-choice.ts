import type { Me, Membership, Org } from "../api/model";

/** The hub lists organizations without membership with the role `super_admin`. */
export function isMember({ role }: Membership): boolean {
  return role !== "super_admin";
}

/** The user's organizations first; for super admins also all others. */
export function reachableOrgs(me: Me, all: Org[]): Membership[] {
  const others = all
    .filter((org) => !me.orgs.some((membership) => membership.org_id === org.id))
    .map(
      (org): Membership => ({
        org_id: org.id,
        slug: org.slug,
        name: org.name,
        timezone: org.timezone,
        role: "super_admin",
      }),
    );
  return [...me.orgs, ...others];
}

/** Picks by URL, then by local storage, then by the hub. */
export function pickOrg(
  me: Me,
  orgs: Membership[],
  urlSlug: string | undefined,
  storedSlug: string | null,
): Membership | undefined {
  return (
    orgs.find((org) => org.slug === urlSlug) ??
    orgs.find((org) => org.slug === storedSlug) ??
    orgs.find((org) => org.org_id === me.org_id) ??
    orgs[0]
  );
}
