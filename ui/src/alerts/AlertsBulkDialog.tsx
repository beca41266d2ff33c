import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import type { BulkDialogProps } from "../bulk/BulkActs";
import { ManyDialog } from "../bulk/ManyDialog";
import { alertText } from "../messages/alerts";
import { bulkText } from "../messages/bulk";
import { hubNow } from "../time/clock";

export type AlertsAct = keyof typeof bulkText.alerts.acts;

export default function AlertsBulkDialog({ act, ...rest }: BulkDialogProps<AlertsAct>) {
  const { org, api } = useSession();
  const [note, setNote] = useState("");
  const [seconds, setSeconds] = useState(3600);
  const change = (id: string) => {
    if (act === "ack") return api.ackAlert(id, { note: note.trim() });
    if (act === "resolve") return api.resolveAlert(id, note.trim());
    return api.snoozeAlert(id, new Date(hubNow() + seconds * 1000).toISOString());
  };
  return (
    <ManyDialog {...rest} words={bulkText.alerts.acts[act]} act={change} lists={[keys.alerts(org.slug)]}>
      {act === "snooze" ? (
        <NativeSelect
          label={bulkText.alerts.for}
          value={seconds}
          onChange={(event) => setSeconds(Number(event.currentTarget.value))}
          data={alertText.snoozes.map(([value, label]) => ({ value: String(value), label }))}
          data-autofocus
        />
      ) : (
        <TextInput
          label={alertText.note}
          description={alertText.noteHint}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          data-autofocus
        />
      )}
    </ManyDialog>
  );
}
