import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Batch } from "../api/model";
import { useSession } from "../app/session";
import { JobsTabs } from "../jobs/JobsTabs";
import { makerOf } from "../jobs/maker";
import { text } from "../messages";
import { jobText } from "../messages/jobs";
import { workText } from "../messages/work";
import { DataTable } from "../parts/DataTable";
import { EmptyState } from "../parts/EmptyState";
import { ErrorBox, worthSaying } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import table from "../parts/Table.module.css";
import { useTitle } from "../parts/useTitle";
import { Time } from "../time/Time";
import { BatchMark } from "./BatchMark";

const words = workText.batches;

export function BatchesPage() {
  useTitle(words.title);
  const { org, api } = useSession();
  const batches = useInfiniteQuery({
    queryKey: [...keys.batches(org.slug), "list"],
    queryFn: ({ pageParam }) => api.batches(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    refetchInterval: usePollInterval(),
  });
  const rows = batches.data?.pages.flatMap(({ items }) => items);
  const error = worthSaying(batches.error, rows !== undefined);
  return (
    <>
      <div className={page.head}>
        <h1>{jobText.title}</h1>
        <JobsTabs />
      </div>
      {error && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={() => void batches.refetch()} />
        </div>
      )}
      {!rows && !error && <Skeleton />}
      {rows?.length === 0 && (
        <EmptyState title={words.none}>
          <p>{words.noneHint}</p>
        </EmptyState>
      )}
      {rows && rows.length > 0 && <BatchTable batches={rows} />}
      {batches.hasNextPage && (
        <div className={table.more}>
          <Button
            variant="default"
            loading={batches.isFetchingNextPage}
            onClick={() => void batches.fetchNextPage()}
          >
            {text.common.more}
          </Button>
        </div>
      )}
    </>
  );
}

function BatchTable({ batches }: { batches: Batch[] }) {
  return (
    <DataTable
      rows={batches}
      keyOf={({ id }) => id}
      columns={[
        {
          head: words.action,
          cell: ({ id, action }) => (
            <Link to="/batches/$batch" params={{ batch: id }} data-row>
              {words.actions[action] ?? action}
            </Link>
          ),
        },
        { head: words.filter, cell: ({ filter }) => <FilterText filter={filter} />, isLong: true },
        { head: words.state, cell: (batch) => <BatchMark batch={batch} /> },
        {
          head: words.done,
          cell: ({ done }) => <span className="num">{done.toLocaleString("en")}</span>,
          isRight: true,
        },
        {
          head: words.failed,
          cell: ({ failed }) => <span className="num">{failed.toLocaleString("en")}</span>,
          isRight: true,
        },
        { head: words.by, cell: ({ created_by }) => makerOf(created_by) },
        { head: words.at, cell: ({ created_at }) => <Time at={created_at} />, isRight: true, isTight: true },
      ]}
    />
  );
}

const SHOWN_CHARS = 120;

function FilterText({ filter }: { filter: string }) {
  if (!filter) return <span className="dim">{words.everything}</span>;
  return (
    <code title={filter}>{filter.length > SHOWN_CHARS ? `${filter.slice(0, SHOWN_CHARS)}…` : filter}</code>
  );
}
