import { Link } from "@tanstack/react-router";
import { keys } from "../api/keys";
import type { Batch } from "../api/model";
import { useSession } from "../app/session";
import { creatorName } from "../jobs/creator-name";
import { JobsTabs } from "../jobs/JobsTabs";
import { batchText } from "../messages/batches";
import { jobText } from "../messages/jobs";
import { DataTable } from "../parts/DataTable";
import { EmptyState } from "../parts/EmptyState";
import page from "../parts/Page.module.css";
import { PagedRows } from "../parts/PagedRows";
import { usePages } from "../parts/usePages";
import { useTitle } from "../parts/useTitle";
import { Time } from "../time/Time";
import { BatchMark } from "./BatchMark";

const words = batchText;

export function BatchesPage() {
  useTitle(words.title);
  const { org, api } = useSession();
  const batches = usePages<Batch>([...keys.batches(org.slug), "list"], api.batches);
  return (
    <>
      <div className={page.head}>
        <h1>{jobText.title}</h1>
        <JobsTabs />
      </div>
      <PagedRows
        query={batches}
        none={
          <EmptyState title={words.none}>
            <p>{words.noneHint}</p>
          </EmptyState>
        }
      >
        {(rows) => <BatchTable batches={rows} />}
      </PagedRows>
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
        { head: words.by, cell: ({ created_by }) => creatorName(created_by) },
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
