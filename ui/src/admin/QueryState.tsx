import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorBox, errorToShow } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";

interface Props<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** Renders the loading, error or data state of a query. Data stays visible while a refetch fails. */
export function QueryState<T>({ query, children }: Props<T>) {
  const error = errorToShow(query.error, query.data !== undefined);
  return (
    <>
      {error && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={() => void query.refetch()} />
        </div>
      )}
      {query.data !== undefined ? children(query.data) : !error && <Skeleton />}
    </>
  );
}
