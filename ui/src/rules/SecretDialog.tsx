import { Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { Secret } from "../api/model";
import { useSession } from "../app/session";
import { rulesText } from "../messages/rules";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import { useRulesApi } from "./useRulesApi";
import { isVariableName } from "./variable-name";

const words = rulesText.secrets;

interface Props {
  /** The secret to update; absent for a new one. */
  secret?: Secret;
  onClose: () => void;
}

/** Sets a secret. Its value is write-only. */
export function SecretDialog({ secret, onClose }: Props) {
  const { org } = useSession();
  const api = useRulesApi();
  const client = useQueryClient();
  const [name, setName] = useState(secret?.name ?? "");
  const [value, setValue] = useState("");
  const isNamed = isVariableName(name);
  return (
    <FormDialog
      title={secret ? words.changeTitle(secret.name) : words.addTitle}
      effect={secret && words.changeEffect}
      submit={secret ? words.saveDo : words.addDo}
      isReady={isNamed && value !== ""}
      onClose={onClose}
      onSubmit={async () => {
        await api.setSecret(name, value);
        void client.invalidateQueries({ queryKey: keys.secrets(org.slug) });
        toast(words.set(name));
        onClose();
      }}
    >
      {!secret && (
        <TextInput
          label={words.name}
          description={words.nameHint}
          required
          spellCheck={false}
          autoComplete="off"
          value={name}
          error={name !== "" && !isNamed && words.nameWrong}
          onChange={(event) => setName(event.currentTarget.value.trim())}
          data-autofocus
        />
      )}
      <Textarea
        label={words.value}
        description={words.valueHint}
        required
        rows={3}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        {...(secret ? { "data-autofocus": true } : {})}
      />
    </FormDialog>
  );
}
