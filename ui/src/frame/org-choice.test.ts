import { describe, expect, it } from "vitest";
import type { Me, Membership, Org } from "../api/model";
import { isMember, pickOrg, reachableOrgs } from "./org-choice";

const member = (slug: string): Membership => ({
  org_id: `id-${slug}`,
  slug,
  name: slug,
  timezone: "UTC",
  role: "admin",
});
const org = (slug: string): Org => ({
  id: `id-${slug}`,
  slug,
  name: slug,
  timezone: "UTC",
  offline_after_seconds: 90,
  alert_after_seconds: 900,
  created_at: "",
  updated_at: "",
});
const me: Me = {
  kind: "user",
  user_id: "u",
  name: "ana",
  email: null,
  is_super_admin: true,
  org_id: "id-b",
  orgs: [member("a"), member("b")],
};

describe("orgs", () => {
  const orgs = reachableOrgs(me, [org("a"), org("c")]);

  it("lists the user's organizations first, without duplicates", () => {
    expect(orgs.map((each) => each.slug)).toEqual(["a", "b", "c"]);
    expect(orgs.map((each) => isMember(each))).toEqual([true, true, false]);
  });

  it("picks by URL, local storage, hub", () => {
    expect(pickOrg(me, orgs, "c", "a")?.slug).toBe("c");
    expect(pickOrg(me, orgs, "gone", "a")?.slug).toBe("a");
    expect(pickOrg(me, orgs, undefined, null)?.slug).toBe("b");
    expect(pickOrg({ ...me, orgs: [] }, [], undefined, null)).toBeUndefined();
  });
});
