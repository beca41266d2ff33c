import "../styles/mantine-forms";
import { NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "../api/keys";
import type { Alert } from "../api/model";
import { useSession } from "../app/session";
import { alertText } from "../messages/alerts";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import { hubNow } from "../time/clock";

interface Props {
  action: "ack" | "resolve";
  alert: Alert;
  onClose: () => void;
}

export default function AlertDialogs({ action, alert, onClose }: Props) {
  const { org, api } = useSession();
  const client = useQueryClient();
  const [note, setNote] = useState("");
  const [seconds, setSeconds] = useState(0);
  const isAck = action === "ack";
  return (
    <FormDialog
      title={isAck ? alertText.ackTitle : alertText.resolveTitle}
      effect={isAck ? alertText.ackEffect : alertText.resolveEffect}
      submit={isAck ? alertText.ackDo : alertText.resolveDo}
      onClose={onClose}
      onSubmit={async () => {
        if (isAck) {
          const until = seconds > 0 ? new Date(hubNow() + seconds * 1000).toISOString() : null;
          await api.ackAlert(alert.id, { note: note.trim(), until });
        } else await api.resolveAlert(alert.id, note.trim());
        void client.invalidateQueries({ queryKey: keys.alerts(org.slug) });
        toast(isAck ? alertText.acked : alertText.resolved);
        onClose();
      }}
    >
      <TextInput
        label={alertText.note}
        description={alertText.noteHint}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        data-autofocus
      />
      {isAck && (
        <NativeSelect
          label={alertText.reopenAfter}
          value={seconds}
          onChange={(event) => setSeconds(Number(event.currentTarget.value))}
          data={alertText.untils.map(([value, label]) => ({ value: String(value), label }))}
        />
      )}
    </FormDialog>
  );
}
