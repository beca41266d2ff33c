import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { BulkActionDialog } from "../bulk/BulkActionDialog";
import type { BulkDialogProps } from "../bulk/BulkActions";
import { alertText } from "../messages/alerts";
import { bulkText } from "../messages/bulk";
import { hubNow } from "../time/clock";

export type AlertsAction = keyof typeof bulkText.alerts.actions;

export default function AlertsBulkDialog({ action, ...rest }: BulkDialogProps<AlertsAction>) {
  const { org, api } = useSession();
  const [note, setNote] = useState("");
  const [seconds, setSeconds] = useState(3600);
  const change = (id: string) => {
    if (action === "ack") return api.ackAlert(id, { note: note.trim() });
    if (action === "resolve") return api.resolveAlert(id, note.trim());
    return api.snoozeAlert(id, new Date(hubNow() + seconds * 1000).toISOString());
  };
  return (
    <BulkActionDialog
      {...rest}
      words={bulkText.alerts.actions[action]}
      failedText={bulkText.alerts.failed}
      action={change}
      lists={[keys.alerts(org.slug)]}
    >
      {action === "snooze" ? (
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
    </BulkActionDialog>
  );
}
