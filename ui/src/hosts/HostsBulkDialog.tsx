import { TextInput } from "@mantine/core";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import type { BulkDialogProps } from "../bulk/BulkActs";
import { ManyDialog } from "../bulk/ManyDialog";
import { useMark } from "../host/MarkFields";
import { bulkText } from "../messages/bulk";
import { parseLabels } from "./labels";

export type HostsAct = keyof typeof bulkText.hosts.acts;

export function HostsBulkDialog({ act, ...rest }: BulkDialogProps<HostsAct>) {
  const { org, api } = useSession();
  const { fields, mark } = useMark();
  const [written, setWritten] = useState("");
  const { labels, problem } = parseLabels(written);
  const isMark = act === "pause" || act === "degrade";
  const change = (id: string) => {
    switch (act) {
      case "pause":
        return api.pauseHost(id, mark());
      case "degrade":
        return api.degradeHost(id, mark());
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
      {isMark && fields}
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
