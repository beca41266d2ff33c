import { keys } from "../api/keys";
import type { Notice } from "../api/model";
import { useSession } from "../app/session";
import { StatusLabel } from "../jobs/JobMark";
import type { DisplayStatus } from "../jobs/job-status";
import { alertText } from "../messages/alerts";
import { DataTable } from "../parts/DataTable";
import { EmptyState } from "../parts/EmptyState";
import page from "../parts/Page.module.css";
import { PagedRows } from "../parts/PagedRows";
import { usePages } from "../parts/usePages";
import { useTitle } from "../parts/useTitle";
import { Time } from "../time/Time";
import styles from "./AlertsPage.module.css";
import { AlertsTabs } from "./AlertsTabs";

const words = alertText.notice;
const STATUSES: Record<string, DisplayStatus> = {
  due: "queued",
  sent: "succeeded",
  failed: "failed",
  dropped: "canceled",
};

/** Notifications that were sent, with their channel and result. */
export function NoticesPage() {
  useTitle(alertText.notices);
  const { org, api } = useSession();
  const notices = usePages<Notice>(keys.notices(org.slug), api.notices);
  return (
    <>
      <div className={page.head}>
        <h1>{alertText.title}</h1>
        <AlertsTabs />
      </div>
      <PagedRows
        query={notices}
        none={
          <EmptyState title={words.none}>
            <p>{words.noneHint}</p>
          </EmptyState>
        }
      >
        {(rows) => <NoticeTable notices={rows} />}
      </PagedRows>
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
              <StatusLabel status={STATUSES[status] ?? "queued"} label={words.statuses[status] ?? status} />
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
