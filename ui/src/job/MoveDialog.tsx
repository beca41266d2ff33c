import "../styles/mantine-forms";
import { useState } from "react";
import type { Job } from "../api/model";
import { useSession } from "../app/session";
import { shortId } from "../jobs/job-status";
import { jobDialogText } from "../messages/job-dialogs";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import { TargetField } from "../run/TargetField";
import { isTargetComplete, jobTargetOf, type TargetForm } from "../run/target";
import { useJobChange } from "./useJobChange";

export function MoveDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { api } = useSession();
  const apply = useJobChange();
  const [targetForm, setTargetForm] = useState<TargetForm>({ kind: "host", host: "", selector: "" });
  return (
    <FormDialog
      title={jobDialogText.moveTitle(`${job.definition_key} ${shortId(job.id)}`)}
      effect={jobDialogText.moveEffect}
      submit={jobDialogText.moveDo}
      isReady={isTargetComplete(targetForm) && targetForm.kind !== "any"}
      onClose={onClose}
      onSubmit={async () => {
        const target = jobTargetOf(targetForm);
        apply(await api.moveJob(job.id, target ? { target } : {}));
        toast(jobDialogText.movedToast(shortId(job.id)));
        onClose();
      }}
    >
      <TargetField target={targetForm} onChange={setTargetForm} hasAny={false} />
    </FormDialog>
  );
}
