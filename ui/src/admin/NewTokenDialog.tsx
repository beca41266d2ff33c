import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
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
  const [queues, setQueues] = useState("default");
  const [ttl, setTtl] = useState(7_776_000);
  const [mayCreateTokens, setMayCreateTokens] = useState(false);
  const [created, setCreated] = useState<TokenCreated>();

  const isWorker = scope === "worker";
  const queueNames = queues
    .split(",")
    .map((queue) => queue.trim())
    .filter((queue) => queue !== "");
  // Only admins may create tokens that claim jobs, because claims contain secrets.
  const scopes = Object.entries(words.scopes).filter(
    ([value]) => value !== "worker" || ownRole === "admin" || ownRole === "super_admin",
  );

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
      isReady={name.trim() !== "" && (!isWorker || queueNames.length > 0)}
      onClose={onClose}
      onSubmit={async () => {
        const limits = isWorker ? { queues: queueNames } : { role, may_create_tokens: mayCreateTokens };
        setCreated(await api.createToken({ name: name.trim(), scope, ttl_seconds: ttl, ...limits }));
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
      {isWorker ? (
        <TextInput
          label={words.queues}
          description={words.queuesHint}
          value={queues}
          onChange={(event) => setQueues(event.currentTarget.value)}
        />
      ) : (
        <NativeSelect
          label={words.role}
          data={roleChoices(ownRole, true)}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as MemberRole)}
        />
      )}
      <div className={page.pair}>
        <NativeSelect
          label={words.scope}
          data={scopes.map(([value, label]) => ({ value, label }))}
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
      {isWorker ? null : (
        <Checkbox
          label={words.mayCreateTokens}
          description={words.mayCreateTokensHint}
          checked={mayCreateTokens}
          onChange={(event) => setMayCreateTokens(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}
