import type { Job } from "../api/model";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { useCommands } from "../frame/commands";
import type { JobListProps } from "./job-list";
import { isFinished } from "./job-status";

/** Shortcuts for the focused row. */
export function useJobKeys(jobs: Job[], onAction: JobListProps["onAction"]): void {
  const { role } = useSession();
  const isAllowed = may(role, "operator");
  const focusedJob = () => {
    const row = document.activeElement?.closest<HTMLElement>("[data-job]");
    return jobs.find(({ id }) => id === row?.dataset.job);
  };
  useCommands({
    retry: () => {
      const job = focusedJob();
      if (!job || !isAllowed || !isFinished(job.status)) return false;
      onAction("retry", job);
    },
    cancel: () => {
      const job = focusedJob();
      if (!job || !isAllowed || isFinished(job.status)) return false;
      onAction("cancel", job);
    },
  });
}
