import "../styles/mantine-forms";
import { useState } from "react";
import type { Job } from "../api/model";
import { useSession } from "../app/session";
import { shortId } from "../jobs/job-status";
import { jobDialogText } from "../messages/job-dialogs";
import { FormDialog } from "../parts/FormDialog";
import { toast } from "../parts/toasts";
import { TargetField } from "../run/TargetField";
import { type Aim, isAimed, targetOf } from "../run/target";
import { useJobChange } from "./useJobChange";

export function MoveDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { api } = useSession();
  const apply = useJobChange();
  const [aim, setAim] = useState<Aim>({ kind: "host", host: "", selector: "" });
  return (
    <FormDialog
      title={jobDialogText.moveTitle(`${job.definition_key} ${shortId(job.id)}`)}
      effect={jobDialogText.moveEffect}
      submit={jobDialogText.moveDo}
      isReady={isAimed(aim) && aim.kind !== "any"}
      onClose={onClose}
      onSubmit={async () => {
        const target = targetOf(aim);
        apply(await api.moveJob(job.id, target ? { target } : {}));
        toast(jobDialogText.movedToast(shortId(job.id)));
        onClose();
      }}
    >
      <TargetField aim={aim} onChange={setAim} hasAny={false} />
    </FormDialog>
  );
}
