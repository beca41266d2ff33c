import type { Job } from "../api/model";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { useCommands } from "../frame/commands";
import type { JobListProps } from "./job-list";
import { isOver } from "./job-status";

/** Shortcuts for the focused row. */
export function useJobKeys(jobs: Job[], act: JobListProps["act"]): void {
  const { role } = useSession();
  const isAllowed = may(role, "operator");
  const present = () => {
    const row = document.activeElement?.closest<HTMLElement>("[data-job]");
    return jobs.find(({ id }) => id === row?.dataset.job);
  };
  useCommands({
    retry: () => {
      const job = present();
      if (!job || !isAllowed || !isOver(job.status)) return false;
      act("retry", job);
    },
    cancel: () => {
      const job = present();
      if (!job || !isAllowed || isOver(job.status)) return false;
      act("cancel", job);
    },
  });
}
