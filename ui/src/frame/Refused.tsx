import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { text } from "../messages";
import { EmptyState } from "../parts/EmptyState";

/** Number of admins named on the page. */
const NAMED = 3;

/** Page without access: the required role, and the admins who can grant it. */
export default function Refused({ why }: { why: string }) {
  const { org, api } = useSession();
  const members = useQuery({ queryKey: keys.members(org.slug), queryFn: api.members });
  const admins = members.data?.items.filter(({ role }) => role === "admin") ?? [];
  const names = admins.slice(0, NAMED).map(({ name, email }) => (email ? `${name} (${email})` : name));
  return (
    <>
      <h1 className="sr-only">{text.frame.refused}</h1>
      <EmptyState title={text.frame.refused} hint={why}>
        {names.length > 0 && <p>{text.frame.askThem(names)}</p>}
      </EmptyState>
    </>
  );
}
