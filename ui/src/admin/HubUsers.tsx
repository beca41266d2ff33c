import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/api";
import { keys } from "../api/keys";
import type { User } from "../api/model";
import { useSession } from "../app/session";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { DataTable } from "../parts/DataTable";
import { FormDialog } from "../parts/FormDialog";
import page from "../parts/Page.module.css";
import { Time } from "../time/Time";
import { QueryState } from "./QueryState";

const words = adminText.hub;

export function HubUsers() {
  const { me } = useSession();
  const [changedUser, setChangedUser] = useState<User>();
  const [confirmedUser, setConfirmedUser] = useState<User>();
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
            actions={(user) =>
              user.id !== me.user_id && (
                <>
                  {!user.email_verified_at && (
                    <Button variant="default" onClick={() => setConfirmedUser(user)}>
                      {words.verify}
                    </Button>
                  )}
                  <Button variant="default" onClick={() => setChangedUser(user)}>
                    {user.is_disabled ? words.enable : words.disable}
                  </Button>
                </>
              )
            }
          />
        )}
      </QueryState>
      {confirmedUser && <VerifyDialog user={confirmedUser} onClose={() => setConfirmedUser(undefined)} />}
      {changedUser && <AccountDialog user={changedUser} onClose={() => setChangedUser(undefined)} />}
    </section>
  );
}

function VerifyDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <FormDialog
      title={words.verifyTitle(user.email)}
      effect={words.verifyEffect}
      submit={words.verifyDo}
      onClose={onClose}
      onSubmit={async () => {
        await api.patchUser(user.id, { is_email_verified: true });
        void client.invalidateQueries({ queryKey: keys.users });
        onClose();
      }}
    />
  );
}

function AccountDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const client = useQueryClient();
  const isDisabled = user.is_disabled;
  return (
    <FormDialog
      title={isDisabled ? words.enableTitle(user.name) : words.disableTitle(user.name)}
      effect={isDisabled ? words.enableEffect : words.disableEffect}
      submit={isDisabled ? words.enableDo : words.disableDo}
      isDangerous={!isDisabled}
      onClose={onClose}
      onSubmit={async () => {
        await api.patchUser(user.id, { is_disabled: !isDisabled });
        void client.invalidateQueries({ queryKey: keys.users });
        onClose();
      }}
    />
  );
}

function rights(user: User): string {
  return [
    user.is_super_admin && words.superAdmin,
    user.is_disabled && words.disabled,
    !user.email_verified_at && words.unverified,
  ]
    .filter(Boolean)
    .join(", ");
}
