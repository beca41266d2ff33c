import { Button } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import type { Job } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { text } from "../messages";
import { jobText } from "../messages/jobs";
import { EmptyState } from "../parts/EmptyState";
import { ErrorBox, errorToShow } from "../parts/ErrorBox";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import { NewRowsButton } from "../parts/NewRowsButton";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import { useNarrow } from "../parts/useNarrow";
import { useReading } from "../parts/useReading";
import { useSelection } from "../parts/useSelection";
import { useTitle } from "../parts/useTitle";
import { JobCounts } from "./JobCounts";
import { JobFilterBar } from "./JobFilterBar";
import styles from "./JobsPage.module.css";
import { JobsTabs } from "./JobsTabs";
import { JobTable } from "./JobTable";
import { withHost } from "./job-filter";
import type { JobAction } from "./job-list";
import { useColumns } from "./useColumns";
import { useJobKeys } from "./useJobKeys";
import { useJobSummary, useJobs } from "./useJobs";

const BulkBar = lazy(() => import("./BulkBar"));
const JobCards = lazy(() => import("./JobCards"));
const JobDialogs = lazy(() => import("./JobDialogs"));
const route = getRouteApi("/frame/jobs");
const NO_JOBS: Job[] = [];

export function JobsPage() {
  useTitle(jobText.title);
  const { role } = useSession();
  const { filter, host } = route.useSearch();
  const { columns } = useColumns();
  const navigate = route.useNavigate();
  const go = useNavigate();
  const isReading = useReading();
  const fullFilter = withHost(filter, host);
  const list = useJobs(fullFilter, isReading);
  const jobs = list.jobs ?? NO_JOBS;
  const selection = useSelection(useMemo(() => jobs.map(({ id }) => id), [jobs]));
  const [openDialog, setOpenDialog] = useState<{ action: JobAction; job: Job }>();
  const isNarrow = useNarrow();

  const setFilter = (next: string) =>
    void navigate({
      search: ({ filter: _, ...old }) => (next ? { ...old, filter: next } : old),
      replace: true,
    });
  const onAction = useCallback(
    (action: JobAction, job: Job) => {
      if (action === "copy") void go({ to: "/run", search: { from: job.id } });
      else setOpenDialog({ action, job });
    },
    [go],
  );
  useJobKeys(jobs, onAction);

  const List = isNarrow ? JobCards : JobTable;
  const error = errorToShow(list.error, list.jobs !== undefined);
  return (
    <>
      <div className={page.head}>
        <h1>{jobText.title}</h1>
        <JobsTabs />
        <JobCounts filter={filter} onChange={setFilter} />
        <GatedButton
          refused={refusal(role, "operator")}
          leftSection={<Icon name="play" />}
          onClick={() => void go({ to: "/run" })}
        >
          {jobText.run}
        </GatedButton>
      </div>
      <JobFilterBar filter={filter} error={list.error} onChange={setFilter} />
      {error && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={list.refetch} />
        </div>
      )}
      <NewRowsButton count={list.newCount} isMore={list.newCount >= list.pageSize} />
      <div className={styles.list} data-old={list.isOld || undefined}>
        <Suspense>
          {jobs.length > 0 && (
            <List jobs={jobs} selection={selection} onAction={onAction} columns={columns} />
          )}
        </Suspense>
      </div>
      {list.jobs?.length === 0 && !error && (
        <EmptyList
          isFiltered={Boolean(fullFilter)}
          onRun={() => void go({ to: "/run" })}
          searched={list.hasMore ? list.searched : undefined}
          onClear={() => {
            // Also clears the host, because a missing parameter keeps it.
            void navigate({ search: ({ filter: _, ...old }) => ({ ...old, host: undefined }) });
          }}
        />
      )}
      {!list.jobs && !error && <Skeleton />}
      {list.hasMore && (
        <div className={styles.footer}>
          {fullFilter && <span>{jobText.searched(list.searched)}</span>}
          <Button variant="default" onClick={list.more} loading={list.isLoadingMore}>
            {jobs.length === 0 ? jobText.continueSearch : text.common.more}
          </Button>
        </div>
      )}
      <Suspense>
        <BulkBar selection={selection} filter={fullFilter} />
      </Suspense>
      {openDialog && (
        <Suspense>
          <JobDialogs {...openDialog} onClose={() => setOpenDialog(undefined)} />
        </Suspense>
      )}
    </>
  );
}

interface EmptyListProps {
  isFiltered: boolean;
  /** Number of jobs searched so far; `undefined` if the search is complete. */
  searched: number | undefined;
  onClear: () => void;
  onRun: () => void;
}

function EmptyList({ isFiltered, searched, onClear, onRun }: EmptyListProps) {
  const { role } = useSession();
  const counts = useJobSummary()?.counts;
  const total = counts && Object.values(counts).reduce((sum, each) => sum + each, 0);
  if (!isFiltered) {
    return (
      <EmptyState
        title={jobText.emptyTitle}
        hint={jobText.empty}
        cli={jobText.emptyCli}
        action={
          <GatedButton variant="default" refused={refusal(role, "operator")} onClick={onRun}>
            {jobText.emptyRun}
          </GatedButton>
        }
      />
    );
  }
  return (
    <EmptyState
      title={searched === undefined ? jobText.noMatch(total) : jobText.noMatchYet(searched)}
      action={
        <Button variant="default" onClick={onClear}>
          {jobText.clear}
        </Button>
      }
    />
  );
}
