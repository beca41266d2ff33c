import type { Me, Membership, Org } from "../api/model";

/** The hub lists to a super admin also orgs they are no member of, with that role. */
export function isMember({ role }: Membership): boolean {
  return role !== "super_admin";
}

/** One's own orgs first; a super admin reaches the others too. */
export function reachableOrgs(me: Me, all: Org[]): Membership[] {
  const others = all
    .filter((org) => !me.orgs.some((own) => own.org_id === org.id))
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

/** The address decides, then what this browser remembers, then the hub. */
export function pickOrg(
  me: Me,
  orgs: Membership[],
  asked: string | undefined,
  remembered: string | null,
): Membership | undefined {
  return (
    orgs.find((org) => org.slug === asked) ??
    orgs.find((org) => org.slug === remembered) ??
    orgs.find((org) => org.org_id === me.org_id) ??
    orgs[0]
  );
}
