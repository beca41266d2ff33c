import { NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { InvitationCreated, MemberRole } from "../api/model";
import { useSession } from "../app/session";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { Dialog } from "../parts/Dialog";
import { FormDialog } from "../parts/FormDialog";
import { Secret } from "../parts/Secret";
import { roleChoices } from "./role-choices";

const words = adminText.people;

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { org, api, role: ownRole } = useSession();
  const client = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<MemberRole>("viewer");
  const [created, setCreated] = useState<InvitationCreated>();

  if (created) {
    return (
      <Dialog title={words.inviteTitle} onClose={onClose} size={520}>
        <Secret label={words.inviteReady(created.email)} value={created.url} note={text.common.shownOnce} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.inviteTitle}
      submit={words.inviteDo}
      isReady={/.@./.test(email)}
      onClose={onClose}
      onSubmit={async () => {
        setCreated(await api.invite({ email: email.trim(), role }));
        void client.invalidateQueries({ queryKey: keys.invitations(org.slug) });
      }}
    >
      <TextInput
        label={words.email}
        type="email"
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        data-autofocus
      />
      <NativeSelect
        label={words.role}
        data={roleChoices(ownRole, true)}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value as MemberRole)}
      />
    </FormDialog>
  );
}
