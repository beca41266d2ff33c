import { Select, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "../api/keys";
import type { Definition } from "../api/model";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { formText as words } from "../messages/server-form";
import page from "../parts/Page.module.css";
import { Segments } from "../parts/Segments";
import { splitWords } from "../parts/shell-words";
import { PayloadFields } from "../run/PayloadFields";
import { usePayloadForm } from "../run/payload-form";
import { EnvFields } from "./EnvFields";
import styles from "./Form.module.css";
import { type Fields, TextField } from "./fields";
import { portsOf } from "./server-form";

/** Process settings: command or definition, folder, user, ports and environment. */
export function ProcessFields({ fields, error }: { fields: Fields; error: unknown }) {
  const { form, set, isReadOnly } = fields;
  const { role } = useSession();
  const isTrusted = may(role, "super_admin");
  return (
    <>
      {!isReadOnly && (
        <Segments
          hasLabel
          label={words.source}
          value={form.source}
          onChange={(source) => set({ source })}
          choices={[
            { value: "argv", label: words.argv },
            { value: "definition", label: words.definition },
          ]}
        />
      )}
      {form.source === "argv" ? (
        <>
          {!isTrusted && !isReadOnly && <p className="dim small">{words.argvRefused}</p>}
          <CommandField fields={fields} />
        </>
      ) : (
        <DefinitionFields fields={fields} error={error} />
      )}
      <div className={page.pair}>
        <TextField
          fields={fields}
          name="folder"
          label={words.folder}
          pointer="/folder"
          hint={words.folderHint}
        />
        <TextField fields={fields} name="user" label={words.user} pointer="/user" hint={words.userHint} />
        <TextField
          fields={fields}
          name="ports"
          label={words.ports}
          pointer="/ports"
          hint={words.portsHint}
          error={portsOf(form.ports) ? undefined : words.badPorts}
        />
      </div>
      <EnvFields fields={fields} />
    </>
  );
}

function CommandField({ fields: { form, set, errors, isReadOnly = false } }: { fields: Fields }) {
  return (
    <Textarea
      className={styles.code ?? ""}
      label={words.command}
      description={words.commandHint}
      required
      autosize={false}
      rows={Math.max(2, Math.min(8, form.command.split("\n").length))}
      spellCheck={false}
      autoCapitalize="off"
      readOnly={isReadOnly}
      value={form.command}
      error={splitWords(form.command) ? errors["/argv"] : words.badCommand}
      onChange={(event) => set({ command: event.currentTarget.value })}
    />
  );
}

function DefinitionFields({ fields, error }: { fields: Fields; error: unknown }) {
  const { form, set, isReadOnly = false } = fields;
  const { org, api } = useSession();
  const definitions = useQuery({ queryKey: keys.definitions(org.slug), queryFn: api.definitions });
  // Excludes the built-in definitions that control servers.
  const available = (definitions.data?.items ?? []).filter(
    ({ key, is_active }) => is_active && !key.startsWith("SERVER_"),
  );
  const selected = available.find(({ key }) => key === form.definition);
  return (
    <>
      <Select
        label={words.definitionKey}
        required
        searchable
        readOnly={isReadOnly}
        data={[
          ...new Set([...available.map(({ key }) => key), ...(form.definition ? [form.definition] : [])]),
        ]}
        value={form.definition || null}
        onChange={(key) => set({ definition: key ?? "", payload: {} })}
      />
      {selected && <Values key={selected.key} definition={selected} fields={fields} error={error} />}
    </>
  );
}

/** Payload of the definition. Reported to the parent on change, because the fields depend on the definition. */
function Values({ definition, fields, error }: { definition: Definition; fields: Fields; error: unknown }) {
  const form = usePayloadForm(definition, fields.form.payload, error);
  const serialized = JSON.stringify(form.payload);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the serialized payload shows whether it changed
  useEffect(() => fields.set({ payload: form.payload }), [serialized]);
  return <PayloadFields form={form} label={words.payload} showErrors={error !== null} />;
}
