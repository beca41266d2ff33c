import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { BulkActionDialog } from "../bulk/BulkActionDialog";
import type { BulkDialogProps } from "../bulk/BulkActions";
import { bulkText } from "../messages/bulk";
import { triggerText } from "../messages/triggers";
import { hubNow } from "../time/clock";

export type TriggersAction = keyof typeof bulkText.triggers.actions;

export default function TriggersBulkDialog({ action, ...rest }: BulkDialogProps<TriggersAction>) {
  const { org, api } = useSession();
  const [seconds, setSeconds] = useState(3600);
  const until = () => (action === "pause" ? new Date(hubNow() + seconds * 1000).toISOString() : null);
  return (
    <BulkActionDialog
      {...rest}
      words={bulkText.triggers.actions[action]}
      failedText={bulkText.triggers.failed}
      action={(id) => api.patchTrigger(id, { paused_until: until() })}
      lists={[keys.triggers(org.slug)]}
    >
      {action === "pause" && (
        <NativeSelect
          label={triggerText.pauseFor}
          value={seconds}
          onChange={(event) => setSeconds(Number(event.currentTarget.value))}
          data={triggerText.pauseDurations.map(([value, label]) => ({ value: String(value), label }))}
          data-autofocus
        />
      )}
    </BulkActionDialog>
  );
}
