import "../styles/mantine-forms";
import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { Job } from "../api/model";
import { useSession } from "../app/session";
import { shortId } from "../jobs/job-status";
import { jobDialogText } from "../messages/job-dialogs";
import { jobText } from "../messages/jobs";
import { FormDialog } from "../parts/FormDialog";
import { JsonField } from "../parts/JsonField";
import { readJson, writeJson } from "../parts/json";
import { toast } from "../parts/toasts";
import { useJobChange } from "./useJobChange";

/** Retries a job, optionally with another payload. */
export function RetryDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { api } = useSession();
  const apply = useJobChange();
  const before = writeJson(job.payload ?? {});
  const [isEdited, setEdited] = useState(false);
  const [text, setText] = useState(before);
  const payload = readJson(text);
  return (
    <FormDialog
      title={jobDialogText.retryTitle(`${job.definition_key} ${shortId(job.id)}`)}
      effect={jobDialogText.retryEffect}
      submit={jobDialogText.retryDo}
      isReady={!isEdited || payload.error === undefined}
      onClose={onClose}
      onSubmit={async () => {
        apply(await api.retryJob(job.id, isEdited && text !== before ? payload.value : undefined));
        toast(jobDialogText.retried(shortId(job.id)));
        onClose();
      }}
    >
      <Checkbox
        label={jobDialogText.retryEdit}
        checked={isEdited}
        onChange={(event) => setEdited(event.currentTarget.checked)}
      />
      {isEdited && (
        <>
          <JsonField label={jobText.payload} value={text} onChange={setText} />
          {before.includes("•••") && <p className="dim small">{jobDialogText.retryHidden}</p>}
        </>
      )}
    </FormDialog>
  );
}
