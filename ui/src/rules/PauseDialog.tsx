import { Autocomplete, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { Pause } from "../api/model";
import { useSession } from "../app/session";
import { rulesText } from "../messages/rules";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import { hubNow } from "../time/clock";
import { useRulesApi } from "./useRulesApi";

const words = rulesText.pauses;

interface Props {
  onPaused: (now: { items: Pause[] }) => void;
  onClose: () => void;
}

export function PauseDialog({ onPaused, onClose }: Props) {
  const { org, api } = useSession();
  const rules = useRulesApi();
  const [kind, setKind] = useState("definition");
  const [subject, setSubject] = useState("");
  const [note, setNote] = useState("");
  const [seconds, setSeconds] = useState(0);
  const definitions = useQuery({ queryKey: keys.definitions(org.slug), queryFn: api.definitions });
  const available = definitions.data?.items ?? [];
  const names = kind === "definition" ? available.map(({ key }) => key) : available.map(({ queue }) => queue);
  const named = kind === "org" ? "" : subject.trim();
  return (
    <FormDialog
      title={words.addTitle}
      effect={kind === "org" ? words.orgEffect : words.effect}
      submit={words.addDo}
      isReady={kind === "org" || named !== ""}
      onClose={onClose}
      onSubmit={async () => {
        const until = seconds > 0 ? new Date(hubNow() + seconds * 1000).toISOString() : null;
        onPaused(await rules.setPause({ kind, subject: named, note: note.trim(), until }));
        toast(words.paused(words.of(kind, named)));
        onClose();
      }}
    >
      <NativeSelect
        label={words.kind}
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value)}
        data={Object.entries(words.kinds).map(([value, label]) => ({ value, label }))}
        data-autofocus
      />
      {kind !== "org" && (
        <Autocomplete
          label={words.subject[kind]}
          required
          data={kind === "key" ? [] : [...new Set(names)]}
          value={subject}
          onChange={setSubject}
        />
      )}
      <TextInput
        label={words.note}
        description={words.noteHint}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <NativeSelect
        label={words.until}
        value={seconds}
        onChange={(event) => setSeconds(Number(event.currentTarget.value))}
        data={words.untils.map(([value, label]) => ({ value: String(value), label }))}
      />
    </FormDialog>
  );
}
