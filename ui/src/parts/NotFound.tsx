import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ApiError } from "../api/client";
import { keys } from "../api/keys";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { notFoundText } from "../messages/not-found";
import { Time } from "../time/Time";
import { EmptyState } from "./EmptyState";

/** Whether the error is a 404 of the hub. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.problem.status === 404;
}

interface Props {
  title: string;
  /** Audit action of the removal. */
  action: "host.removed" | "trigger.removed";
  /** ID or name in the URL. */
  named: string;
}

/** Number of recent removals searched in the audit log. */
const SEARCHED = 200;

/** Page of a removed object: who removed it and when, if the user may read the audit log. */
export function NotFound({ title, action, named }: Props) {
  const { org, api, role } = useSession();
  const isAllowed = may(role, "admin");
  const removals = useQuery({
    queryKey: [...keys.audit(org.slug), "removals", action],
    queryFn: () =>
      api.audit({ action, limit: SEARCHED, actor: undefined, since: undefined, cursor: undefined }),
    enabled: isAllowed,
  });
  const entry = removals.data?.items.find(
    ({ subject_id, subject }) => subject_id === named || subject === named,
  );
  if (!entry) {
    return (
      <EmptyState title={title}>
        <p>{isAllowed ? notFoundText.unknown : notFoundText.askAdmin}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={notFoundText.removed(entry.subject ?? named)}>
      <p>
        {notFoundText.by(entry.actor)} <Time at={entry.at} exact /> (<Time at={entry.at} />)
      </p>
      <Link to="/admin/audit" search={{ action }}>
        {notFoundText.audit}
      </Link>
    </EmptyState>
  );
}
