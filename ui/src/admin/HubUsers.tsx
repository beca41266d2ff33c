import { useQuery } from "@tanstack/react-query";
import { api } from "../api/api";
import { keys } from "../api/keys";
import type { User } from "../api/model";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { DataTable } from "../parts/DataTable";
import page from "../parts/Page.module.css";
import { Time } from "../time/Time";
import { QueryState } from "./QueryState";

const words = adminText.hub;

export function HubUsers() {
  const users = useQuery({ queryKey: keys.users, queryFn: api.users });
  return (
    <section aria-labelledby="users">
      <div className={page.section}>
        <h2 id="users">{words.users}</h2>
      </div>
      <QueryState query={users}>
        {({ items }) => (
          <DataTable
            rows={items}
            keyOf={(user) => user.id}
            columns={[
              { head: adminText.people.name, cell: (user) => user.name },
              { head: adminText.people.email, cell: (user) => user.email },
              { head: words.rights, cell: (user) => rights(user) || text.common.none },
              { head: adminText.people.since, cell: (user) => <Time at={user.created_at} /> },
            ]}
          />
        )}
      </QueryState>
    </section>
  );
}

function rights(user: User): string {
  return [user.is_super_admin && words.superAdmin, user.is_disabled && words.disabled]
    .filter(Boolean)
    .join(", ");
}
