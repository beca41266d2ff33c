import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import names from "../bulk/BulkActionDialog.module.css";
import { bulkText } from "../messages/bulk";
import { JobMark } from "./JobMark";
import { shortId } from "./job-status";

/** Enough examples to notice a wrong filter. */
const SAMPLES = 5;

interface Props {
  filter: string;
  /** Total number of jobs; `undefined` while unknown. */
  count: number | undefined;
}

/** Examples of the jobs that a bulk action will change, newest first. */
export function BulkSamples({ filter, count = 0 }: Props) {
  const { org, api } = useSession();
  const jobs = useQuery({
    queryKey: [...keys.jobHead(org.slug), "samples", { filter }],
    queryFn: ({ signal }) => api.jobs({ filter: filter || undefined, limit: SAMPLES }, signal),
    gcTime: 0,
  });
  const items = jobs.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <ul className={names.names} aria-label={bulkText.samples}>
      {items.map((job) => (
        <li key={job.id}>
          <span className="id">{shortId(job.id)}</span> {job.definition_key} <JobMark job={job} />
        </li>
      ))}
      {count > items.length && <li className="dim">{bulkText.more(count - items.length)}</li>}
    </ul>
  );
}
