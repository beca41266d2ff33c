import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { HostDetail } from "../api/model";
import { useSession } from "../app/session";
import { hostText } from "../messages/host";
import { FormDialog } from "../parts/FormDialog";
import { hubNow } from "../time/clock";
import { useHostChange } from "./useHostChange";

const words = hostText.host;

interface Props {
  host: HostDetail;
  mark: "pause" | "degrade";
  onClose: () => void;
}

export function MarkDialog({ host, mark, onClose }: Props) {
  const { api } = useSession();
  const apply = useHostChange();
  const [note, setNote] = useState("");
  const [seconds, setSeconds] = useState(0);
  const isPause = mark === "pause";
  return (
    <FormDialog
      title={isPause ? words.pauseTitle(host.name) : words.degradeTitle(host.name)}
      effect={isPause ? words.pauseEffect : words.degradeEffect}
      submit={isPause ? words.pauseDo : words.degradeDo}
      onClose={onClose}
      onSubmit={async () => {
        const until = seconds > 0 ? new Date(hubNow() + seconds * 1000).toISOString() : null;
        const set = isPause ? api.pauseHost : api.degradeHost;
        apply(await set(host.id, { note: note.trim(), until }));
        onClose();
      }}
    >
      <TextInput
        label={words.note}
        description={words.noteHint}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        data-autofocus
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
