import "../styles/mantine-forms";
import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { eventText } from "../messages/events";
import { FormDialog } from "../parts/FormDialog";
import { JsonField } from "../parts/JsonField";
import { readJson } from "../parts/json";
import { toast } from "../parts/toasts";

const words = eventText;

export default function EmitDialog({ onClose }: { onClose: () => void }) {
  const { org, api } = useSession();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [text, setText] = useState("{\n}");
  const { value, error } = readJson(text);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return (
    <FormDialog
      title={words.emitTitle}
      effect={words.emitEffect}
      submit={words.emitDo}
      isReady={name.trim() !== "" && error === undefined && isObject}
      onClose={onClose}
      onSubmit={async () => {
        const result = await api.emitEvent({ name: name.trim(), data: value as Record<string, unknown> });
        toast(words.emitted(result.triggers, result.jobs.length));
        void client.invalidateQueries({ queryKey: keys.events(org.slug) });
        onClose();
      }}
    >
      <TextInput
        label={words.emitName}
        description={words.emitNameHint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <JsonField
        label={words.emitData}
        value={text}
        onChange={setText}
        error={isObject ? undefined : words.notObject}
      />
    </FormDialog>
  );
}
