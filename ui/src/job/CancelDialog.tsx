import "../styles/mantine-forms";
import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Job } from "../api/model";
import { useSession } from "../app/session";
import { shortId } from "../jobs/job-status";
import { jobDialogText } from "../messages/job-dialogs";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import { useJobChange } from "./useJobChange";

function effectOf({ status, host }: Job): string {
  if (status !== "running") return jobDialogText.cancelQueued;
  // A job of an HTTP worker has no host.
  return host ? jobDialogText.cancelRunning(host) : jobDialogText.cancelRunningWorker;
}

export function CancelDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { api } = useSession();
  const apply = useJobChange();
  const [reason, setReason] = useState("");
  const [isForced, setForced] = useState(false);
  const isRunning = job.status === "running";
  return (
    <FormDialog
      title={jobDialogText.cancelTitle(`${job.definition_key} ${shortId(job.id)}`)}
      effect={effectOf(job)}
      submit={jobDialogText.cancelDo}
      dismiss={jobDialogText.keep}
      isDangerous
      onClose={onClose}
      onSubmit={async () => {
        const changed = await api.cancelJob(job.id, {
          reason: reason.trim(),
          ...(isForced ? { force: true } : {}),
        });
        apply(changed);
        toast(
          changed.status === "canceled"
            ? jobDialogText.canceledToast(shortId(job.id))
            : jobDialogText.cancelingToast(shortId(job.id)),
        );
        onClose();
      }}
    >
      <TextInput
        label={jobDialogText.reason}
        description={jobDialogText.reasonHint}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
      />
      {isRunning && (
        <Checkbox
          label={jobDialogText.force}
          checked={isForced}
          onChange={(event) => setForced(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}
