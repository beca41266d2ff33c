import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import names from "../bulk/ManyDialog.module.css";
import { bulkText } from "../messages/bulk";
import { JobMark } from "./JobMark";
import { shortId } from "./job-status";

/** So many are enough to see that the wrong ones were meant. */
const SAMPLES = 5;

interface Props {
  filter: string;
  /** How many there are in all, as far as it is known. */
  count: number | undefined;
}

/** The newest of the jobs that something is about to be done to. */
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
