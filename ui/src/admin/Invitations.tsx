import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { Invitation } from "../api/model";
import { useSession } from "../app/session";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { DataTable } from "../parts/DataTable";
import { FormDialog } from "../parts/FormDialog";
import page from "../parts/Page.module.css";
import { Time } from "../time/Time";
import { QueryState } from "./QueryState";

const words = adminText.people;

export function Invitations() {
  const { org, api } = useSession();
  const invitations = useQuery({ queryKey: keys.invitations(org.slug), queryFn: api.invitations });
  return (
    <section aria-labelledby="invitations">
      <div className={page.section}>
        <h2 id="invitations">{words.invitations}</h2>
      </div>
      <QueryState query={invitations}>
        {({ items }) =>
          items.length > 0 ? (
            <InvitationTable invitations={items} />
          ) : (
            <p className={page.empty}>{words.noInvitations}</p>
          )
        }
      </QueryState>
    </section>
  );
}

function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  const [withdrawing, setWithdrawing] = useState<Invitation>();
  return (
    <>
      <DataTable
        rows={invitations}
        keyOf={(invitation) => invitation.id}
        columns={[
          { head: words.email, cell: (invitation) => invitation.email },
          { head: words.role, cell: (invitation) => text.roles[invitation.role] },
          { head: words.expires, cell: (invitation) => <Time at={invitation.expires_at} /> },
        ]}
        actions={(invitation) => (
          <Button variant="default" onClick={() => setWithdrawing(invitation)}>
            {words.withdraw}
          </Button>
        )}
      />
      {withdrawing && <WithdrawDialog invitation={withdrawing} onClose={() => setWithdrawing(undefined)} />}
    </>
  );
}

function WithdrawDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { org, api } = useSession();
  const client = useQueryClient();
  return (
    <FormDialog
      title={words.withdrawTitle(invitation.email)}
      effect={words.withdrawEffect}
      submit={words.withdrawDo}
      isDangerous
      onClose={onClose}
      onSubmit={async () => {
        await api.removeInvitation(invitation.id);
        void client.invalidateQueries({ queryKey: keys.invitations(org.slug) });
        onClose();
      }}
    />
  );
}
