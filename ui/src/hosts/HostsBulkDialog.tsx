import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import type { BulkDialogProps } from "../bulk/BulkActs";
import { ManyDialog } from "../bulk/ManyDialog";
import { bulkText } from "../messages/bulk";
import { hostText } from "../messages/host";
import { hubNow } from "../time/clock";
import { parseLabels } from "./labels";

export type HostsAct = keyof typeof bulkText.hosts.acts;

const words = hostText.host;

export function HostsBulkDialog({ act, ...rest }: BulkDialogProps<HostsAct>) {
  const { org, api } = useSession();
  const [note, setNote] = useState("");
  const [seconds, setSeconds] = useState(0);
  const [written, setWritten] = useState("");
  const { labels, problem } = parseLabels(written);
  const isMark = act === "pause" || act === "degrade";
  const change = (id: string) => {
    const until = seconds > 0 ? new Date(hubNow() + seconds * 1000).toISOString() : null;
    switch (act) {
      case "pause":
        return api.pauseHost(id, { note: note.trim(), until });
      case "degrade":
        return api.degradeHost(id, { note: note.trim(), until });
      case "resume":
        return api.resumeHost(id);
      case "clear":
        return api.clearHost(id);
      case "label":
        return api.patchHost(id, { labels: labels ?? {} });
    }
  };
  return (
    <ManyDialog
      {...rest}
      words={bulkText.hosts.acts[act]}
      act={change}
      lists={[keys.hosts(org.slug), keys.hostsOf(org.slug), keys.status(org.slug)]}
      isReady={act !== "label" || Object.keys(labels ?? {}).length > 0}
    >
      {isMark && (
        <>
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
        </>
      )}
      {act === "label" && (
        <TextInput
          label={bulkText.hosts.labels}
          description={bulkText.hosts.labelsHint}
          value={written}
          error={problem}
          onChange={(event) => setWritten(event.currentTarget.value)}
          data-autofocus
        />
      )}
    </ManyDialog>
  );
}
