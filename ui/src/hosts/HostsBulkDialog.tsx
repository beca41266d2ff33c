import { TextInput } from "@mantine/core";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { BulkActionDialog } from "../bulk/BulkActionDialog";
import type { BulkDialogProps } from "../bulk/BulkActions";
import { useMark } from "../host/MarkFields";
import { bulkText } from "../messages/bulk";
import { parseLabels } from "./labels";

export type HostsAction = keyof typeof bulkText.hosts.actions;

export function HostsBulkDialog({ action, ...rest }: BulkDialogProps<HostsAction>) {
  const { org, api } = useSession();
  const { fields, request } = useMark();
  const [text, setText] = useState("");
  const { labels, problem } = parseLabels(text);
  const isMark = action === "pause" || action === "markDegraded";
  const change = (id: string) => {
    switch (action) {
      case "pause":
        return api.pauseHost(id, request());
      case "markDegraded":
        return api.markHostDegraded(id, request());
      case "resume":
        return api.resumeHost(id);
      case "unmark":
        return api.unmarkHost(id);
      case "label":
        return api.patchHost(id, { labels: labels ?? {} });
    }
  };
  return (
    <BulkActionDialog
      {...rest}
      words={bulkText.hosts.actions[action]}
      failedText={bulkText.hosts.failed}
      action={change}
      lists={[keys.hosts(org.slug), keys.hostsOf(org.slug), keys.status(org.slug)]}
      isReady={action !== "label" || Object.keys(labels ?? {}).length > 0}
    >
      {isMark && fields}
      {action === "label" && (
        <TextInput
          label={bulkText.hosts.labels}
          description={bulkText.hosts.labelsHint}
          value={text}
          error={problem}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      )}
    </BulkActionDialog>
  );
}
