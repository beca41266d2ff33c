import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Notice } from "../api/model";
import { useSession } from "../app/session";
import { FaceMark } from "../jobs/JobMark";
import type { JobFace } from "../jobs/job-status";
import { text } from "../messages";
import { alertText } from "../messages/alerts";
import { DataTable } from "../parts/DataTable";
import { EmptyState } from "../parts/EmptyState";
import { ErrorBox, worthSaying } from "../parts/ErrorBox";
import page from "../parts/Page.module.css";
import { Skeleton } from "../parts/Skeleton";
import table from "../parts/Table.module.css";
import { useTitle } from "../parts/useTitle";
import { Time } from "../time/Time";
import styles from "./AlertsPage.module.css";
import { AlertsTabs } from "./AlertsTabs";

const words = alertText.notice;
const FACES: Record<string, JobFace> = {
  due: "queued",
  sent: "succeeded",
  failed: "failed",
  dropped: "canceled",
};

/** What was told to whom, and how that went. */
export function NoticesPage() {
  useTitle(alertText.notices);
  const { org, api } = useSession();
  const notices = useInfiniteQuery({
    queryKey: keys.notices(org.slug),
    queryFn: ({ pageParam }) => api.notices(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    refetchInterval: usePollInterval(),
  });
  const rows = notices.data?.pages.flatMap(({ items }) => items);
  const error = worthSaying(notices.error, rows !== undefined);
  return (
    <>
      <div className={page.head}>
        <h1>{alertText.title}</h1>
        <AlertsTabs />
      </div>
      {error && (
        <div className={page.notice}>
          <ErrorBox error={error} onRetry={() => void notices.refetch()} />
        </div>
      )}
      {!rows && !error && <Skeleton />}
      {rows?.length === 0 && (
        <EmptyState title={words.none}>
          <p>{words.noneHint}</p>
        </EmptyState>
      )}
      {rows && rows.length > 0 && <NoticeTable notices={rows} />}
      {notices.hasNextPage && (
        <div className={table.more}>
          <Button
            variant="default"
            loading={notices.isFetchingNextPage}
            onClick={() => void notices.fetchNextPage()}
          >
            {text.common.more}
          </Button>
        </div>
      )}
    </>
  );
}

function NoticeTable({ notices }: { notices: Notice[] }) {
  return (
    <DataTable
      rows={notices}
      keyOf={({ id }) => id}
      columns={[
        { head: words.what, cell: ({ title }) => title, isLong: true },
        { head: words.channel, cell: ({ channel }) => channel },
        {
          head: words.status,
          cell: ({ status, last_error }) => (
            <>
              <FaceMark face={FACES[status] ?? "queued"} word={words.statuses[status] ?? status} />
              {last_error && status !== "sent" && <span className={styles.bad}> {last_error}</span>}
            </>
          ),
          isLong: true,
        },
        { head: words.tries, cell: ({ tries }) => <span className="num">{tries}</span>, isRight: true },
        {
          head: words.at,
          cell: ({ sent_at, created_at }) => <Time at={sent_at ?? created_at} />,
          isRight: true,
          isTight: true,
        },
      ]}
    />
  );
}
