import { NativeSelect, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { jobBulkText } from "../messages/job-bulk";
import { jobDialogText } from "../messages/job-dialogs";
import { FormDialog } from "../parts/FormDialog";
import { toastWithLink } from "../parts/toasts";
import { BulkSamples } from "./BulkSamples";
import { chunkIds } from "./chunk-ids";

export type BulkAction = "retry" | "cancel";

interface Props {
  action: BulkAction;
  /** The selected jobs; absent for all matching jobs. */
  ids?: string[];
  filter: string | undefined;
  onDone: () => void;
  onClose: () => void;
}

const words = jobBulkText;

export default function BulkDialog(props: Props) {
  return props.ids ? <Selected {...props} ids={props.ids} /> : <Matching {...props} />;
}

function useStart() {
  const { org, api } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (action: BulkAction, filters: string[], count: number | "all", reason: string) => {
    let batch = "";
    for (const filter of filters) batch = (await api.createBatch({ action, filter, reason })).id;
    for (const queryKey of [keys.jobs(org.slug), keys.jobSummary(org.slug), keys.batches(org.slug)]) {
      void client.invalidateQueries({ queryKey });
    }
    toastWithLink(words.started(count), words.show, () => {
      void navigate({ to: "/batches/$batch", params: { batch } });
    });
  };
}

function Selected({ action, ids, onDone, onClose }: Props & { ids: string[] }) {
  const start = useStart();
  const [reason, setReason] = useState("");
  const isCancel = action === "cancel";
  return (
    <FormDialog
      title={isCancel ? words.cancelTitle(ids.length) : words.retryTitle(ids.length)}
      effect={words.note}
      submit={words.submit(action, ids.length)}
      {...(isCancel ? { dismiss: words.keep } : {})}
      isDangerous={isCancel}
      onClose={onClose}
      onSubmit={async () => {
        await start(action, chunkIds(ids), ids.length, reason.trim());
        onDone();
        onClose();
      }}
    >
      <BulkSamples filter={chunkIds(ids)[0] ?? ""} count={ids.length} />
      {isCancel && (
        <TextInput
          label={jobDialogText.reason}
          description={jobDialogText.reasonHint}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
      )}
    </FormDialog>
  );
}

/** Limits the filter to jobs whose status allows the action. */
function filterOf(action: BulkAction, filter: string): string {
  const states = action === "cancel" ? "status:queued,running" : "status:failed,dead_letter,canceled";
  return `${filter} ${states}`.trim();
}

function Matching({ filter = "", onDone, onClose, ...props }: Props) {
  const { org, api } = useSession();
  const start = useStart();
  const [action, setAction] = useState<BulkAction>(props.action);
  const preview = useQuery({
    queryKey: [...keys.batches(org.slug), "preview", { action, filter }],
    queryFn: () => api.createBatch({ action, filter, dry_run: true }),
    gcTime: 0,
  });
  const found = preview.data?.preview ?? undefined;
  const count = found && (found.is_complete ? found.count : "all");
  return (
    <FormDialog
      title={words.matchTitle}
      effect={found ? words.matchCount(found.count, found.is_complete) : words.counting}
      submit={words.submit(action, count)}
      {...(action === "cancel" ? { dismiss: words.keep } : {})}
      isDangerous={action === "cancel"}
      isReady={(found?.count ?? 0) > 0}
      onClose={onClose}
      onSubmit={async () => {
        await start(action, [filter], count ?? "all", "");
        onDone();
        onClose();
      }}
    >
      <p>
        {words.filter}: {filter ? <code>{filter}</code> : words.everything}
      </p>
      <NativeSelect
        label={words.action}
        value={action}
        onChange={(event) => setAction(event.currentTarget.value as BulkAction)}
        data={Object.entries(words.actions).map(([value, label]) => ({ value, label }))}
        data-autofocus
      />
      <BulkSamples filter={filterOf(action, filter)} count={found?.count} />
      <p className="dim small">{words.note}</p>
    </FormDialog>
  );
}
