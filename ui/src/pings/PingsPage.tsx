import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, useState } from "react";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Ping } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { StatusLabel } from "../jobs/JobMark";
import type { DisplayStatus } from "../jobs/job-status";
import { text } from "../messages";
import { pingText } from "../messages/pings";
import { triggerText } from "../messages/triggers";
import { DataTable } from "../parts/DataTable";
import { GatedButton } from "../parts/GatedButton";
import { ListPage } from "../parts/ListPage";
import { useTitle } from "../parts/useTitle";
import { duration } from "../time/format";
import { Time } from "../time/Time";
import { TriggersTabs } from "../triggers/TriggersTabs";
import { PingHistory } from "./PingHistory";
import { usePingApi } from "./usePingApi";

const PingDialog = lazy(() => import("./PingDialog"));
const words = pingText;
const STATUSES: Record<string, DisplayStatus> = {
  new: "queued",
  up: "succeeded",
  started: "running",
  late: "retrying",
  down: "failed",
};

export function PingsPage() {
  useTitle(words.title);
  const { org, role } = useSession();
  const api = usePingApi();
  const [opened, setOpened] = useState<string>();
  const pings = useQuery({
    queryKey: keys.pings(org.slug),
    queryFn: api.pings,
    refetchInterval: usePollInterval(),
  });
  const refused = refusal(role, "admin");
  return (
    <ListPage
      title={triggerText.title}
      tabs={<TriggersTabs />}
      intro={words.intro}
      add={words.add}
      refused={refused}
      query={pings}
      none={words}
      dialog={(_, onClose) => <PingDialog onClose={onClose} />}
      removal={(row) => ({
        title: words.removeTitle(row.label),
        effect: words.removeEffect,
        submit: words.removeDo,
        doneText: words.removed(row.label),
        list: keys.pings(org.slug),
        remove: () => api.removePing(row.id),
      })}
    >
      {(items, { remove }) => (
        <DataTable
          rows={items}
          keyOf={({ id }) => id}
          columns={[
            { head: words.label, cell: ({ label }) => label },
            {
              head: words.status,
              cell: ({ status }) => (
                <StatusLabel status={STATUSES[status] ?? "queued"} label={words.statuses[status] ?? status} />
              ),
            },
            { head: words.expected, cell: (ping) => <Expected ping={ping} />, isLong: true },
            { head: words.next, cell: ({ expected_at }) => <Time at={expected_at} /> },
            {
              head: words.last,
              cell: ({ succeeded_at }) => <Time at={succeeded_at} none={text.common.never} />,
            },
          ]}
          actions={(ping) => (
            <>
              <Button
                variant="default"
                aria-expanded={opened === ping.id}
                onClick={() => setOpened(opened === ping.id ? undefined : ping.id)}
              >
                {opened === ping.id ? words.hideHistory : words.history}
              </Button>
              <GatedButton variant="default" refused={refused} onClick={() => remove(ping)}>
                {text.common.remove}
              </GatedButton>
            </>
          )}
          detail={({ id }) => opened === id && <PingHistory ping={id} />}
        />
      )}
    </ListPage>
  );
}

function Expected({ ping }: { ping: Ping }) {
  const late = words.gracePeriod(duration(ping.grace_seconds * 1000));
  if (ping.cron_expr) {
    return (
      <>
        {words.at(ping.cron_expr)}
        <span className="faint">
          {" "}
          · {ping.timezone} · {late}
        </span>
      </>
    );
  }
  return (
    <>
      {words.every(duration((ping.period_seconds ?? 0) * 1000))}
      <span className="faint"> · {late}</span>
    </>
  );
}
