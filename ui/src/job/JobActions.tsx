import { useNavigate } from "@tanstack/react-router";
import type { JobDetail } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { useCommands } from "../frame/commands";
import host from "../host/HostPage.module.css";
import type { JobAct } from "../jobs/job-list";
import { isOver } from "../jobs/job-status";
import { jobText } from "../messages/jobs";
import { GatedButton } from "../parts/GatedButton";

interface Props {
  job: JobDetail;
  /** Reason why the job is read-only here; `undefined` if it is not. */
  mirror: string | undefined;
  onAct: (act: JobAct) => void;
}

/** Actions that the state of a job allows. */
export function JobActions({ job, mirror, onAct }: Props) {
  const { role } = useSession();
  const navigate = useNavigate();
  const refused = refusal(role, "operator") ?? mirror ?? (job.is_hosts_own ? jobText.hostsOwn : undefined);
  const isDone = isOver(job.status);
  useCommands({
    retry: () => (refused || !isDone ? false : onAct("retry")),
    cancel: () => (refused || isDone ? false : onAct("cancel")),
  });
  const isBad = job.status === "failed" || job.status === "dead_letter";
  return (
    <div className={host.actions}>
      {job.status === "queued" && (
        <GatedButton variant="default" refused={refused} onClick={() => onAct("move")}>
          {jobText.move}
        </GatedButton>
      )}
      <GatedButton
        variant="default"
        refused={refusal(role, "operator") ?? mirror}
        onClick={() => void navigate({ to: "/run", search: { from: job.id } })}
      >
        {jobText.again}
      </GatedButton>
      {isDone ? (
        <GatedButton variant={isBad ? "filled" : "default"} refused={refused} onClick={() => onAct("retry")}>
          {jobText.retryAsk}
        </GatedButton>
      ) : (
        <GatedButton variant="default" refused={refused} onClick={() => onAct("cancel")}>
          {jobText.cancel}
        </GatedButton>
      )}
    </div>
  );
}
