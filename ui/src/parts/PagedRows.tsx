import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { text } from "../messages";
import { ErrorBox, errorToShow } from "./ErrorBox";
import page from "./Page.module.css";
import { Skeleton } from "./Skeleton";
import table from "./Table.module.css";
import type { usePages } from "./usePages";

interface Props<T> {
  query: ReturnType<typeof usePages<T>>;
  /** Shown if there are no rows. */
  none: ReactNode;
  /** Client-side filter of the rows. */
  keep?: (row: T) => boolean;
  children: (rows: T[]) => ReactNode;
}

/** Renders a paged list with its loading, error and empty states and a "Show more" button. */
export function PagedRows<T>({ query, none, keep, children }: Props<T>) {
  const all = query.data?.pages.flatMap(({ items }) => items);
  const rows = keep ? all?.filter(keep) : all;
  const error = errorToShow(query.error, rows !== undefined);
  return (
    <>
      {error && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={() => void query.refetch()} />
        </div>
      )}
      {!rows && !error && <Skeleton />}
      {rows?.length === 0 && none}
      {rows && rows.length > 0 && children(rows)}
      {query.hasNextPage && (
        <div className={table.more}>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {text.common.more}
          </Button>
        </div>
      )}
    </>
  );
}
