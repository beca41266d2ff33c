import { useEffect, useRef } from "react";
import type { Job } from "../api/model";
import { may } from "../app/roles";
import { useSession } from "../app/session";
import { isTyping } from "../frame/keys";
import type { Selection } from "../parts/useSelection";
import type { JobListProps } from "./job-list";
import { isOver } from "./job-status";

/** Keys for the row that has the focus: `x` selects, `X` a range, `r` retries, `C` cancels, `.` opens its menu. */
export function useJobKeys(jobs: Job[], selection: Selection, act: JobListProps["act"]): void {
  const { role } = useSession();
  const now = useRef({ jobs, selection, act, role });
  now.current = { jobs, selection, act, role };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const row = document.activeElement?.closest<HTMLElement>("[data-job]");
      const job = now.current.jobs.find(({ id }) => id === row?.dataset.job);
      if (!job || document.querySelector('[role="dialog"], [role="menu"]')) return;
      const isAllowed = may(now.current.role, "operator");
      if (event.key === "x" || event.key === "X") {
        now.current.selection.toggle(job.id, event.key === "X");
      } else if (event.key === "r" && isAllowed && isOver(job.status)) {
        now.current.act("retry", job);
      } else if (event.key === "C" && isAllowed && !isOver(job.status)) {
        now.current.act("cancel", job);
      } else if (event.key === ".") {
        row?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click();
      } else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
