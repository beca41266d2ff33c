import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import type { Batch } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import host from "../host/HostPage.module.css";
import { creatorName } from "../jobs/creator-name";
import { shortId } from "../jobs/job-status";
import { batchText } from "../messages/batches";
import { Breadcrumb } from "../parts/Breadcrumb";
import { DataTable } from "../parts/DataTable";
import { FormDialog } from "../parts/FormDialog";
import { GatedButton } from "../parts/GatedButton";
import page from "../parts/Page.module.css";
import { DetailList, Panel } from "../parts/Panel";
import { toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { Time } from "../time/Time";
import { BatchMark } from "./BatchMark";
import styles from "./BatchPage.module.css";

const words = batchText;
const route = getRouteApi("/frame/batches/$batch");
const LIVE_MS = 1000;

export function BatchPage() {
  const { batch: id } = route.useParams();
  const { org, api } = useSession();
  useTitle(words.title);
  const batch = useQuery({
    queryKey: keys.batch(org.slug, id),
    queryFn: () => api.batch(id),
    refetchInterval: (query) => (query.state.data?.status === "running" ? LIVE_MS : false),
  });
  return (
    <>
      <Breadcrumb to="/batches" label={words.back} />
      {!batch.data && (
        <div className={page.head}>
          <h1 className="id">{shortId(id)}</h1>
        </div>
      )}
      <QueryState query={batch}>{(data) => <Detail batch={data} />}</QueryState>
    </>
  );
}

function Detail({ batch }: { batch: Batch }) {
  const { org, api, role } = useSession();
  const client = useQueryClient();
  const [isStopping, setStopping] = useState(false);
  const handled = batch.done + batch.failed;
  return (
    <>
      <div className={host.head}>
        <div className={host.title}>
          <h1>{words.actions[batch.action] ?? batch.action}</h1>
          <span className="id dim">{shortId(batch.id)}</span>
          <BatchMark batch={batch} />
        </div>
        {batch.status === "running" && (
          <GatedButton
            variant="default"
            refused={refusal(role, "operator")}
            onClick={() => setStopping(true)}
          >
            {words.stop}
          </GatedButton>
        )}
      </div>
      <div className={page.panels}>
        <Panel title={words.progress} aside={words.of(handled, batch.matched)}>
          <progress
            className={styles.bar}
            aria-label={words.progress}
            max={Math.max(1, batch.matched)}
            value={handled}
          />
          <DetailList
            rows={[
              [words.searched, batch.examined.toLocaleString("en")],
              [words.matched, batch.matched.toLocaleString("en")],
              [words.done, batch.done.toLocaleString("en")],
              [words.failed, batch.failed.toLocaleString("en")],
            ]}
          />
        </Panel>
        <Panel title={words.action}>
          <DetailList
            rows={[
              [words.filter, batch.filter ? <code key="filter">{batch.filter}</code> : words.everything],
              [words.by, creatorName(batch.created_by)],
              [words.at, <Time key="at" at={batch.created_at} />],
              [words.ended, <Time key="ended" at={batch.finished_at} />],
            ]}
          />
          <Link to="/jobs" search={{ filter: batch.filter }}>
            {words.jobs}
          </Link>
        </Panel>
      </div>
      {batch.failures.length > 0 && (
        <section aria-labelledby="failures">
          <div className={page.section}>
            <h2 id="failures">{words.failures}</h2>
          </div>
          <DataTable
            rows={batch.failures}
            keyOf={({ job_id }) => job_id}
            columns={[
              {
                head: words.job,
                cell: ({ job_id }) => (
                  <Link to="/jobs/$job" params={{ job: job_id }} className="id" data-row>
                    {shortId(job_id)}
                  </Link>
                ),
              },
              { head: words.reason, cell: ({ detail }) => detail, isLong: true },
            ]}
          />
        </section>
      )}
      {isStopping && (
        <FormDialog
          title={words.stopTitle}
          effect={words.stopEffect}
          submit={words.stopDo}
          isDangerous
          onClose={() => setStopping(false)}
          onSubmit={async () => {
            client.setQueryData(keys.batch(org.slug, batch.id), await api.stopBatch(batch.id));
            toast(words.stopped);
            setStopping(false);
          }}
        />
      )}
    </>
  );
}
