import { useNavigate } from "@tanstack/react-router";
import type { JobDetail } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { useCommands } from "../frame/commands";
import host from "../host/HostPage.module.css";
import type { JobAction } from "../jobs/job-list";
import { isFinished } from "../jobs/job-status";
import { jobText } from "../messages/jobs";
import { GatedButton } from "../parts/GatedButton";

interface Props {
  job: JobDetail;
  /** Reason why the job is read-only here; `undefined` if it is not. */
  mirror: string | undefined;
  onAction: (action: JobAction) => void;
}

/** Actions that the state of a job allows. */
export function JobActions({ job, mirror, onAction }: Props) {
  const { role } = useSession();
  const navigate = useNavigate();
  const refused = refusal(role, "operator") ?? mirror ?? (job.is_hosts_own ? jobText.hostsOwn : undefined);
  const isDone = isFinished(job.status);
  useCommands({
    retry: () => (refused || !isDone ? false : onAction("retry")),
    cancel: () => (refused || isDone ? false : onAction("cancel")),
  });
  const isBad = job.status === "failed" || job.status === "dead_letter";
  return (
    <div className={host.actions}>
      {job.status === "queued" && (
        <GatedButton variant="default" refused={refused} onClick={() => onAction("move")}>
          {jobText.move}
        </GatedButton>
      )}
      <GatedButton
        variant="default"
        refused={refusal(role, "operator") ?? mirror}
        onClick={() => void navigate({ to: "/run", search: { from: job.id } })}
      >
        {jobText.runCopy}
      </GatedButton>
      {isDone ? (
        <GatedButton
          variant={isBad ? "filled" : "default"}
          refused={refused}
          onClick={() => onAction("retry")}
        >
          {jobText.retryButton}
        </GatedButton>
      ) : (
        <GatedButton variant="default" refused={refused} onClick={() => onAction("cancel")}>
          {jobText.cancel}
        </GatedButton>
      )}
    </div>
  );
}
