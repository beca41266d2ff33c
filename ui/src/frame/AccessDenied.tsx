import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { text } from "../messages";
import { EmptyState } from "../parts/EmptyState";

/** Number of admins named on the page. */
const ADMINS_MAX = 3;

/** Page without access: the required role, and the admins who can grant it. */
export default function AccessDenied({ why }: { why: string }) {
  const { org, api } = useSession();
  const isForSuperAdmins = why === text.needs.super_admin;
  const members = useQuery({
    queryKey: keys.members(org.slug),
    queryFn: api.members,
    enabled: !isForSuperAdmins,
  });
  const admins = members.data?.items.filter(({ role }) => role === "admin") ?? [];
  const names = admins.slice(0, ADMINS_MAX).map(({ name, email }) => (email ? `${name} (${email})` : name));
  return (
    <>
      <h1 className="sr-only">{text.frame.accessDenied}</h1>
      <EmptyState title={text.frame.accessDenied} hint={why}>
        {isForSuperAdmins ? (
          <p>{text.frame.askSuperAdmin}</p>
        ) : (
          names.length > 0 && <p>{text.frame.askAdmins(names)}</p>
        )}
      </EmptyState>
    </>
  );
}
