import { useQueryClient } from "@tanstack/react-query";
import { keys } from "../api/keys";
import type { JobDetail } from "../api/model";
import { useSession } from "../app/session";

/** Updates the cache after a job was changed. */
export function useJobChange() {
  const { org } = useSession();
  const client = useQueryClient();
  return (job: JobDetail) => {
    client.setQueryData(keys.job(org.slug, job.id), job);
    for (const queryKey of [
      keys.jobs(org.slug),
      keys.jobSummary(org.slug),
      keys.attempts(org.slug, job.id),
      keys.why(org.slug, job.id),
    ]) {
      void client.invalidateQueries({ queryKey });
    }
  };
}
