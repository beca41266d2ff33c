import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { ApiError } from "../api/client";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { JobDetail } from "../api/model";
import { useSession } from "../app/session";
import host from "../host/HostPage.module.css";
import { useMirror } from "../hosts/useMirror";
import { JobMark } from "../jobs/JobMark";
import type { JobAct } from "../jobs/job-list";
import { shortId } from "../jobs/job-status";
import { jobPageText } from "../messages/job-page";
import { jobText } from "../messages/jobs";
import { EmptyState } from "../parts/EmptyState";
import { ErrorBox, worthSaying } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import { Trail } from "../parts/Trail";
import { useTitle } from "../parts/useTitle";
import { AttemptPanel } from "./AttemptPanel";
import { JobActions } from "./JobActions";
import { JobFacts } from "./JobFacts";
import styles from "./JobPage.module.css";
import { JobTimeline } from "./JobTimeline";
import { PayloadPanel } from "./PayloadPanel";
import { WhyLine } from "./WhyLine";

const SameCommand = lazy(() => import("./SameCommand"));
const TerminalPanel = lazy(() => import("./TerminalPanel"));
const JobDialogs = lazy(() => import("../jobs/JobDialogs"));
const route = getRouteApi("/frame/jobs/$job");

export function JobPage() {
  const { job: id } = route.useParams();
  const { org, api } = useSession();
  const job = useQuery({
    queryKey: keys.job(org.slug, id),
    queryFn: () => api.job(id),
    refetchInterval: usePollInterval(),
  });
  useTitle(job.data ? `${job.data.definition_key} ${shortId(job.data.id)}` : shortId(id));
  const isGone = job.error instanceof ApiError && job.error.problem.status === 404;
  const error = worthSaying(job.error, job.data !== undefined);
  return (
    <>
      <Trail to="/jobs" label={jobPageText.back} />
      {job.data ? (
        <Detail job={job.data} />
      ) : (
        <>
          <div className={page.head}>
            <h1 className="id">{shortId(id)}</h1>
          </div>
          {!error && <Skeleton />}
        </>
      )}
      {error && isGone && (
        <EmptyState title={jobPageText.gone}>
          <p>{jobPageText.goneHint}</p>
        </EmptyState>
      )}
      {error && !isGone && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={() => void job.refetch()} />
        </div>
      )}
    </>
  );
}

function Detail({ job }: { job: JobDetail }) {
  const [asked, setAsked] = useState<JobAct>();
  const mirror = useMirror(job.target.host ?? job.host);
  return (
    <>
      <div className={host.head}>
        <div className={host.title}>
          <h1>{job.definition_key}</h1>
          <span className={`${styles.id} id`} title={job.id}>
            {shortId(job.id)}
          </span>
          <JobMark job={job} />
        </div>
        <JobActions job={job} mirror={mirror} onAct={setAsked} />
      </div>
      {mirror && <p className={host.note}>{mirror}</p>}
      <JobTimeline job={job} />
      <WhyLine job={job} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <AttemptPanel job={job} />
        </div>
        <div className={styles.side}>
          <JobFacts job={job} />
          <PayloadPanel title={jobText.payload} value={job.payload} />
          <Suspense>
            <SameCommand job={job} />
            <TerminalPanel job={job} />
          </Suspense>
        </div>
      </div>
      {asked && (
        <Suspense>
          <JobDialogs act={asked} job={job} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  );
}
