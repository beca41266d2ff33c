import "../styles/mantine-forms";
import { NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { HookCreated } from "../api/model";
import { useSession } from "../app/session";
import { hookText } from "../messages/hooks";
import { Dialog } from "../parts/Dialog";
import { FormDialog } from "../parts/FormDialog";
import page from "../parts/Page.module.css";
import { Secret } from "../parts/Secret";
import { useHookApi } from "./useHookApi";

const words = hookText;

export default function HookDialog({ onClose }: { onClose: () => void }) {
  const { org } = useSession();
  const api = useHookApi();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [event, setEvent] = useState("");
  const [scheme, setScheme] = useState("standard");
  const [secret, setSecret] = useState("");
  const [created, setCreated] = useState<HookCreated>();

  if (created) {
    return (
      <Dialog title={created.hook.name} onClose={onClose} size={560}>
        <div className={page.form}>
          <Secret label={words.url} value={created.hook.url} />
          <Secret label={words.secret} value={created.secret} note={words.secretNote} />
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.addTitle}
      submit={words.addDo}
      isReady={name.trim() !== "" && event.trim() !== ""}
      onClose={onClose}
      onSubmit={async () => {
        setCreated(
          await api.createHook({
            name: name.trim(),
            event_name: event.trim(),
            scheme,
            secret: secret || null,
          }),
        );
        void client.invalidateQueries({ queryKey: keys.hooks(org.slug) });
      }}
    >
      <TextInput
        label={words.name}
        description={words.nameHint}
        required
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={words.event}
        description={words.eventHint}
        required
        spellCheck={false}
        value={event}
        onChange={({ currentTarget }) => setEvent(currentTarget.value)}
      />
      <NativeSelect
        label={words.scheme}
        value={scheme}
        onChange={({ currentTarget }) => setScheme(currentTarget.value)}
        data={Object.entries(words.schemes).map(([value, label]) => ({ value, label }))}
      />
      <TextInput
        label={words.own}
        description={words.ownHint}
        spellCheck={false}
        autoComplete="off"
        value={secret}
        onChange={({ currentTarget }) => setSecret(currentTarget.value)}
      />
    </FormDialog>
  );
}
