import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import type { Job } from "../api/model";
import BulkBar from "../jobs/BulkBar";
import JobCards from "../jobs/JobCards";
import { JobTable } from "../jobs/JobTable";
import type { JobAct } from "../jobs/job-list";
import { useJobs } from "../jobs/useJobs";
import { text } from "../messages";
import { hostTabText } from "../messages/host-tabs";
import { ErrorBox, worthSaying } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import table from "../parts/Table.module.css";
import { useNarrow } from "../parts/useNarrow";
import { useSelection } from "../parts/useSelection";

const JobDialogs = lazy(() => import("../jobs/JobDialogs"));
const NO_JOBS: Job[] = [];

export default function HostJobs({ name }: { name: string }) {
  const filter = `host:"${name}"`;
  const list = useJobs(filter, false);
  const jobs = list.jobs ?? NO_JOBS;
  const selection = useSelection(useMemo(() => jobs.map(({ id }) => id), [jobs]));
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ act: JobAct; job: Job }>();
  const act = useCallback(
    (what: JobAct, job: Job) => {
      if (what === "again") void navigate({ to: "/run", search: { from: job.id } });
      else setAsked({ act: what, job });
    },
    [navigate],
  );
  const List = useNarrow() ? JobCards : JobTable;
  const error = worthSaying(list.error, list.jobs !== undefined);
  return (
    <>
      {error && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={list.refetch} />
        </div>
      )}
      {!list.jobs && !error && <Skeleton />}
      {list.jobs?.length === 0 && <p className={page.empty}>{hostTabText.jobsNone}</p>}
      {jobs.length > 0 && <List jobs={jobs} selection={selection} act={act} />}
      <div className={table.more}>
        {list.hasMore && (
          <Button variant="default" onClick={list.more} loading={list.isGettingMore}>
            {text.common.more}
          </Button>
        )}
        {jobs.length > 0 && !list.hasMore && (
          <Link to="/jobs" search={{ filter }}>
            {hostTabText.allJobs}
          </Link>
        )}
      </div>
      <BulkBar selection={selection} filter={filter} />
      {asked && (
        <Suspense>
          <JobDialogs {...asked} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  );
}
