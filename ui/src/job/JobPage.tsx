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
import type { JobAction } from "../jobs/job-list";
import { shortId } from "../jobs/job-status";
import { jobPageText } from "../messages/job-page";
import { jobText } from "../messages/jobs";
import { Breadcrumb } from "../parts/Breadcrumb";
import { EmptyState } from "../parts/EmptyState";
import { ErrorBox, errorToShow } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import { useTitle } from "../parts/useTitle";
import { AttemptPanel } from "./AttemptPanel";
import { JobActions } from "./JobActions";
import { JobDetails } from "./JobDetails";
import styles from "./JobPage.module.css";
import { JobTimeline } from "./JobTimeline";
import { PayloadPanel } from "./PayloadPanel";
import { WhyLine } from "./WhyLine";

const SimilarJobs = lazy(() => import("./SimilarJobs"));
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
  const isNotFound = job.error instanceof ApiError && job.error.problem.status === 404;
  const error = errorToShow(job.error, job.data !== undefined);
  return (
    <>
      <Breadcrumb to="/jobs" label={jobPageText.back} />
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
      {error && isNotFound && (
        <EmptyState title={jobPageText.notFound}>
          <p>{jobPageText.notFoundHint}</p>
        </EmptyState>
      )}
      {error && !isNotFound && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={() => void job.refetch()} />
        </div>
      )}
    </>
  );
}

function Detail({ job }: { job: JobDetail }) {
  const [openDialog, setOpenDialog] = useState<JobAction>();
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
        <JobActions job={job} mirror={mirror} onAction={setOpenDialog} />
      </div>
      {mirror && <p className={host.note}>{mirror}</p>}
      <JobTimeline job={job} />
      <WhyLine job={job} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <AttemptPanel job={job} />
        </div>
        <div className={styles.side}>
          <JobDetails job={job} />
          <PayloadPanel title={jobText.payload} value={job.payload} />
          <Suspense>
            <SimilarJobs job={job} />
            <TerminalPanel job={job} />
          </Suspense>
        </div>
      </div>
      {openDialog && (
        <Suspense>
          <JobDialogs action={openDialog} job={job} onClose={() => setOpenDialog(undefined)} />
        </Suspense>
      )}
    </>
  );
}
