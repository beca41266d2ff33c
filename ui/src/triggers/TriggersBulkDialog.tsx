import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import type { BulkDialogProps } from "../bulk/BulkActs";
import { ManyDialog } from "../bulk/ManyDialog";
import { bulkText } from "../messages/bulk";
import { triggerText } from "../messages/triggers";
import { hubNow } from "../time/clock";

export type TriggersAct = keyof typeof bulkText.triggers.acts;

export default function TriggersBulkDialog({ act, ...rest }: BulkDialogProps<TriggersAct>) {
  const { org, api } = useSession();
  const [seconds, setSeconds] = useState(3600);
  const until = () => (act === "pause" ? new Date(hubNow() + seconds * 1000).toISOString() : null);
  return (
    <ManyDialog
      {...rest}
      words={bulkText.triggers.acts[act]}
      act={(id) => api.patchTrigger(id, { paused_until: until() })}
      lists={[keys.triggers(org.slug)]}
    >
      {act === "pause" && (
        <NativeSelect
          label={triggerText.pauseFor}
          value={seconds}
          onChange={(event) => setSeconds(Number(event.currentTarget.value))}
          data={triggerText.pauseFors.map(([value, label]) => ({ value: String(value), label }))}
          data-autofocus
        />
      )}
    </ManyDialog>
  );
}
