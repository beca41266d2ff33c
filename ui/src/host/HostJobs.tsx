import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import type { Job } from "../api/model";
import BulkBar from "../jobs/BulkBar";
import JobCards from "../jobs/JobCards";
import { JobTable } from "../jobs/JobTable";
import type { JobAction } from "../jobs/job-list";
import { useJobs } from "../jobs/useJobs";
import { text } from "../messages";
import { hostTabText } from "../messages/host-tabs";
import { ErrorBox, errorToShow } from "../parts/ErrorBox";
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
  const [openDialog, setOpenDialog] = useState<{ action: JobAction; job: Job }>();
  const onAction = useCallback(
    (action: JobAction, job: Job) => {
      if (action === "copy") void navigate({ to: "/run", search: { from: job.id } });
      else setOpenDialog({ action, job });
    },
    [navigate],
  );
  const List = useNarrow() ? JobCards : JobTable;
  const error = errorToShow(list.error, list.jobs !== undefined);
  return (
    <>
      {error && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={list.refetch} />
        </div>
      )}
      {!list.jobs && !error && <Skeleton />}
      {list.jobs?.length === 0 && <p className={page.empty}>{hostTabText.jobsNone}</p>}
      {jobs.length > 0 && <List jobs={jobs} selection={selection} onAction={onAction} />}
      <div className={table.more}>
        {list.hasMore && (
          <Button variant="default" onClick={list.more} loading={list.isLoadingMore}>
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
      {openDialog && (
        <Suspense>
          <JobDialogs {...openDialog} onClose={() => setOpenDialog(undefined)} />
        </Suspense>
      )}
    </>
  );
}
