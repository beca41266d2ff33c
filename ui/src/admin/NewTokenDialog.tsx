import { NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { MemberRole, TokenCreated, TokenScope } from "../api/model";
import { useSession } from "../app/session";
import { text } from "../messages";
import { adminText } from "../messages/admin";
import { Dialog } from "../parts/Dialog";
import { FormDialog } from "../parts/FormDialog";
import page from "../parts/Page.module.css";
import { Secret } from "../parts/Secret";
import { roleChoices } from "./role-choices";

const words = adminText.tokens;

export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const { org, api, role: ownRole } = useSession();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [role, setRole] = useState<MemberRole>("viewer");
  const [scope, setScope] = useState<TokenScope>("api");
  const [ttl, setTtl] = useState(7_776_000);
  const [created, setCreated] = useState<TokenCreated>();

  if (created) {
    return (
      <Dialog title={created.name} onClose={onClose} size={520}>
        <Secret label={words.secret} value={created.secret} note={text.common.shownOnce} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.createTitle}
      submit={words.createDo}
      isReady={name.trim() !== ""}
      onClose={onClose}
      onSubmit={async () => {
        setCreated(await api.createToken({ name: name.trim(), role, scope, ttl_seconds: ttl }));
        void client.invalidateQueries({ queryKey: keys.tokens(org.slug) });
      }}
    >
      <TextInput
        label={words.name}
        description={words.nameHint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <NativeSelect
        label={words.role}
        data={roleChoices(ownRole, true)}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value as MemberRole)}
      />
      <div className={page.pair}>
        <NativeSelect
          label={words.scope}
          data={Object.entries(words.scopes).map(([value, label]) => ({ value, label }))}
          value={scope}
          onChange={(event) => setScope(event.currentTarget.value as TokenScope)}
        />
        <NativeSelect
          label={words.ttl}
          data={words.ttls.map(([value, label]) => ({ value: String(value), label }))}
          value={ttl}
          onChange={(event) => setTtl(Number(event.currentTarget.value))}
        />
      </div>
    </FormDialog>
  );
}
