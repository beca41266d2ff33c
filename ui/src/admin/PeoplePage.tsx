import "../styles/mantine-forms";
import { NativeSelect } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { Member, MemberRole } from "../api/model";
import { may, refusal } from "../app/roles";
import { useSession } from "../app/session";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { DataTable } from "../parts/DataTable";
import { FormDialog } from "../parts/FormDialog";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import table from "../parts/Table.module.css";
import { toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { Time } from "../time/Time";
import { Invitations } from "./Invitations";
import { InviteDialog } from "./InviteDialog";
import { QueryState } from "./QueryState";
import { roleChoices } from "./role-choices";

const words = adminText.people;

export function PeoplePage() {
  useTitle(words.title);
  const { org, api, role } = useSession();
  const members = useQuery({ queryKey: keys.members(org.slug), queryFn: api.members });
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <div className={page.head}>
        <h1>{words.title}</h1>
        <GatedButton
          refused={refusal(role, "admin")}
          data-create
          leftSection={<Icon name="plus" />}
          onClick={() => setInviting(true)}
        >
          {words.invite}
        </GatedButton>
      </div>
      <QueryState query={members}>{(data) => <Members members={data.items} />}</QueryState>
      {may(role, "admin") && <Invitations />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function Members({ members }: { members: Member[] }) {
  const [removing, setRemoving] = useState<Member>();
  const { me, role } = useSession();
  const refused = refusal(role, "admin");
  return (
    <>
      <DataTable
        rows={members}
        keyOf={(member) => member.user_id}
        columns={[
          {
            head: words.name,
            cell: (member) => (
              <>
                {member.name}{" "}
                {member.user_id === me.user_id && <span className="faint small">{words.you}</span>}
              </>
            ),
          },
          {
            head: words.email,
            isLong: true,
            cell: (member) => (
              <>
                <span className="dim">{member.email}</span>{" "}
                {!member.is_email_verified && <span className="faint small">{words.unverified}</span>}
              </>
            ),
          },
          { head: words.role, isTight: true, cell: (member) => <RoleSelect member={member} /> },
          { head: words.since, isTight: true, cell: (member) => <Time at={member.created_at} /> },
        ]}
        actions={(member) => (
          <GatedButton variant="default" refused={refused} onClick={() => setRemoving(member)}>
            {text.common.remove}
          </GatedButton>
        )}
      />
      {removing && <RemoveDialog member={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

function RoleSelect({ member }: { member: Member }) {
  const { org, api, role } = useSession();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (next: MemberRole) => api.patchMember(member.user_id, next),
    onSuccess: (_, next) => {
      const undo = () => change.mutate(member.role);
      toast(words.roleChanged(member.name, text.roles[next]), next === member.role ? undefined : undo);
      void client.invalidateQueries({ queryKey: keys.members(org.slug) });
      // The changed member may be the current user.
      void client.invalidateQueries({ queryKey: keys.me });
    },
    onError: (error) => toast(error.message),
  });
  if (!may(role, "admin")) return <span title={text.needs.admin}>{text.roles[member.role]}</span>;
  return (
    <NativeSelect
      className={table.choice}
      aria-label={words.roleOf(member.name)}
      data={roleChoices()}
      value={change.isPending ? change.variables : member.role}
      onChange={(event) => change.mutate(event.currentTarget.value as MemberRole)}
    />
  );
}

function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { org, api } = useSession();
  const client = useQueryClient();
  return (
    <FormDialog
      title={words.removeTitle(member.name)}
      effect={words.removeEffect}
      submit={words.removeDo}
      isDangerous
      onClose={onClose}
      onSubmit={async () => {
        await api.removeMember(member.user_id);
        toast(words.removed(member.name));
        void client.invalidateQueries({ queryKey: keys.members(org.slug) });
        onClose();
      }}
    />
  );
}
