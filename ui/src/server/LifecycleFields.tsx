import { Checkbox, NativeSelect } from "@mantine/core";
import type { ReadyKind, RestartPolicy } from "../api/model";
import { formText as words } from "../messages/server-form";
import page from "../parts/Page.module.css";
import { AmountFields, type Fields, TextField } from "./fields";

const SIGNALS = ["TERM", "INT", "QUIT", "HUP", "USR1", "USR2"];

function choices<Value extends string>(labels: Record<Value, string>) {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

export function ReadyFields({ fields }: { fields: Fields }) {
  const { form, set, isReadOnly = false } = fields;
  return (
    <div className={page.pair}>
      <NativeSelect
        label={words.readyKind}
        disabled={isReadOnly}
        value={form.readyKind}
        onChange={(event) => set({ readyKind: event.currentTarget.value as ReadyKind })}
        data={choices(words.readyKinds)}
      />
      {form.readyKind === "tcp" && (
        <>
          <TextField
            fields={fields}
            name="readyHost"
            label={words.readyHost}
            pointer="/ready/host"
            hint="127.0.0.1"
          />
          <AmountFields fields={fields} rows={[["readyPort", words.readyPort, "/ready/port"]]} />
        </>
      )}
      {form.readyKind === "http" && (
        <TextField
          fields={fields}
          name="readyUrl"
          label={words.readyUrl}
          pointer="/ready/url"
          hint="http://127.0.0.1:8080/health"
        />
      )}
      {form.readyKind === "log" && (
        <TextField
          fields={fields}
          name="readyContains"
          label={words.readyContains}
          pointer="/ready/contains"
        />
      )}
      {form.readyKind === "command" && (
        <TextField fields={fields} name="readyCommand" label={words.readyCommand} pointer="/ready/argv" />
      )}
      <AmountFields fields={fields} rows={[["readyTimeout", words.readyTimeout, "/ready/timeout_seconds"]]} />
    </div>
  );
}

export function StopFields({ fields }: { fields: Fields }) {
  const { form, set, isReadOnly = false } = fields;
  return (
    <>
      <p className="dim small">{words.stopNote}</p>
      <div className={page.pair}>
        <TextField
          fields={fields}
          name="stopCommand"
          label={words.stopCommand}
          pointer="/stop/command"
          hint={words.stopCommandHint}
        />
        <AmountFields
          fields={fields}
          rows={[["stopCommandSeconds", words.stopCommandSeconds, "/stop/command_seconds"]]}
        />
        <NativeSelect
          label={words.stopSignal}
          disabled={isReadOnly}
          value={form.stopSignal}
          onChange={(event) => set({ stopSignal: event.currentTarget.value })}
          data={SIGNALS}
        />
        <AmountFields
          fields={fields}
          rows={[["stopSignalSeconds", words.stopSignalSeconds, "/stop/signal_seconds"]]}
        />
      </div>
    </>
  );
}

/** Restart policy, autostart and console settings. */
export function RestartFields({ fields }: { fields: Fields }) {
  const { form, set, isReadOnly = false } = fields;
  return (
    <>
      <NativeSelect
        label={words.policy}
        disabled={isReadOnly}
        value={form.policy}
        onChange={(event) => set({ policy: event.currentTarget.value as RestartPolicy })}
        data={choices(words.policies)}
      />
      {form.policy !== "never" && (
        <div className={page.pair}>
          <AmountFields
            fields={fields}
            rows={[
              ["firstSeconds", words.firstSeconds, "/restart/first_seconds"],
              ["capSeconds", words.capSeconds, "/restart/cap_seconds"],
              ["loopAfter", words.loopAfter, "/restart/loop_after"],
              ["stableSeconds", words.stableSeconds, "/restart/stable_seconds"],
            ]}
          />
        </div>
      )}
      <Checkbox
        label={words.autostart}
        description={words.autostartNote}
        disabled={isReadOnly}
        checked={form.autostart}
        onChange={(event) => set({ autostart: event.currentTarget.checked })}
      />
      <Checkbox
        label={words.console}
        description={words.consoleNote}
        disabled={isReadOnly}
        checked={form.console}
        onChange={(event) => set({ console: event.currentTarget.checked })}
      />
    </>
  );
}
