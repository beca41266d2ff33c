import "../styles/mantine-forms";
import { MultiSelect, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { Channel } from "../api/model";
import { useSession } from "../app/session";
import { alertText } from "../messages/alerts";
import { FormDialog } from "../parts/FormDialog";
import page from "../parts/Page.module.css";
import { sentenceCase } from "../parts/sentence-case";
import { toast } from "../parts/toasts";
import {
  blankChannel,
  CHANNEL_KINDS,
  type ChannelForm,
  channelForm,
  channelRequest,
  isChannelComplete,
  partsOf,
  signingSecret,
} from "./channel-form";

const words = alertText.channel;

export default function ChannelDialog({ channel, onClose }: { channel?: Channel; onClose: () => void }) {
  const { org, api, role } = useSession();
  const client = useQueryClient();
  const [form, setForm] = useState<ChannelForm>(() =>
    channel ? channelForm(channel) : blankChannel(signingSecret()),
  );
  const set = (change: Partial<ChannelForm>) => setForm((old) => ({ ...old, ...change }));
  // A command runs on the hub's machine, so only super admins can create such a channel.
  const kinds = CHANNEL_KINDS.filter(
    (kind) => kind !== "command" || role === "super_admin" || form.kind === kind,
  );
  return (
    <FormDialog
      title={channel ? words.editTitle(channel.name) : words.addTitle}
      submit={channel ? words.saveDo : words.addDo}
      isReady={isChannelComplete(form)}
      onClose={onClose}
      onSubmit={async () => {
        const body = channelRequest(form, org.timezone);
        const saved = channel ? await api.patchChannel(channel.id, body) : await api.createChannel(body);
        void client.invalidateQueries({ queryKey: keys.channels(org.slug) });
        toast(channel ? words.saved(saved.name) : words.added(saved.name));
        onClose();
      }}
    >
      <div className={page.pair}>
        <TextInput
          label={words.name}
          required
          value={form.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          data-autofocus
        />
        <NativeSelect
          label={words.kind}
          disabled={channel !== undefined}
          value={form.kind}
          onChange={(event) => set({ kind: event.currentTarget.value })}
          data={kinds.map((value) => ({ value, label: words.kinds[value] ?? value }))}
        />
      </div>
      {partsOf(form.kind).map((name) => (
        <PartField
          key={name}
          name={name}
          value={form.parts[name] ?? ""}
          onChange={(value) => set({ parts: { ...form.parts, [name]: value } })}
        />
      ))}
      {channel && <p className="dim small">{words.secretsKept}</p>}
      <div className={page.pair}>
        <NativeSelect
          label={words.min}
          value={form.minSeverity}
          onChange={(event) => set({ minSeverity: event.currentTarget.value })}
          data={[
            { value: "", label: words.minAll },
            { value: "warning", label: sentenceCase(alertText.severity.warning) },
            { value: "critical", label: sentenceCase(alertText.severity.critical) },
          ]}
        />
        <NumberInput
          label={words.perDay}
          min={1}
          allowDecimal={false}
          value={form.perDay}
          onChange={(value) => set({ perDay: String(value) })}
        />
      </div>
      <MultiSelect
        label={words.onlyKinds}
        placeholder={form.kinds.length === 0 ? words.allKindsHint : ""}
        data={Object.keys(alertText.kindNotes).map((value) => ({
          value,
          label: sentenceCase(alertText.kinds[value] ?? value),
        }))}
        value={form.kinds}
        onChange={(chosen) => set({ kinds: chosen })}
        clearable
      />
      <div className={page.pair}>
        <TextInput
          type="time"
          label={`${words.quiet}: ${words.quietFrom}`}
          value={form.quietFrom}
          onChange={(event) => set({ quietFrom: event.currentTarget.value })}
        />
        <TextInput
          type="time"
          label={words.quietUntil}
          value={form.quietUntil}
          onChange={(event) => set({ quietUntil: event.currentTarget.value })}
        />
      </div>
    </FormDialog>
  );
}

interface PartProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
}

const HINTS: Record<string, string> = {
  secret: words.secretHint,
  token: words.tokenHint,
  to: words.toHint,
  argv: words.argvHint,
};

function PartField({ name, value, onChange }: PartProps) {
  const label = words[name as "url"] ?? name;
  const shared = { label, description: HINTS[name] };
  if (name === "security") {
    return (
      <NativeSelect
        {...shared}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={Object.entries(words.securities).map(([each, label]) => ({ value: each, label }))}
      />
    );
  }
  if (name === "argv") {
    return (
      <Textarea
        {...shared}
        rows={3}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      type={name === "password" ? "password" : "text"}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
