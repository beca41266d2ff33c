import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorBox } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";

interface Props<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** Loading, failed, or there. What is there stays while a later try fails. */
export function QueryState<T>({ query, children }: Props<T>) {
  return (
    <>
      {query.error && (
        <div className={page.notice}>
          <ErrorBox error={query.error} onRetry={() => void query.refetch()} />
        </div>
      )}
      {query.data !== undefined ? children(query.data) : !query.error && <Skeleton />}
    </>
  );
}
