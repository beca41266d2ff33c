import "../styles/mantine-forms";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Limit } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { rulesText } from "../messages/rules";
import { DataTable } from "../parts/DataTable";
import { GatedButton } from "../parts/GatedButton";
import page from "../parts/Page.module.css";
import { showError, toast } from "../parts/toasts";
import { useTitle } from "../parts/useTitle";
import { LimitDialog } from "./LimitDialog";
import { Pauses } from "./Pauses";
import styles from "./Rules.module.css";
import { useRulesApi } from "./useRulesApi";

const words = rulesText.limits;

export function LimitsPage() {
  useTitle(words.title);
  return (
    <>
      <div className={page.head}>
        <h1>{words.title}</h1>
      </div>
      <Pauses />
      <Limits />
    </>
  );
}

function Limits() {
  const { org, role } = useSession();
  const api = useRulesApi();
  const client = useQueryClient();
  const limits = useQuery({
    queryKey: keys.limits(org.slug),
    queryFn: api.limits,
    refetchInterval: usePollInterval(),
  });
  const [setting, setSetting] = useState<{ limit?: Limit }>();
  const refused = refusal(role, "admin");
  const show = (now: { items: Limit[] }) => client.setQueryData(keys.limits(org.slug), now);
  const clear = async ({ key, max_running, jobs_per_minute }: Limit) => {
    show(await api.setLimit(key, {}));
    const before = { max_running: max_running ?? null, jobs_per_minute: jobs_per_minute ?? null };
    toast(words.cleared(key), () => void api.setLimit(key, before).then(show, showError));
  };
  return (
    <section aria-labelledby="limits">
      <div className={styles.section}>
        <h2 id="limits">{words.limits}</h2>
        <GatedButton variant="default" refused={refused} onClick={() => setSetting({})}>
          {words.add}
        </GatedButton>
        <p className={styles.note}>
          {words.intro} {words.otherLimits}
        </p>
      </div>
      <QueryState query={limits}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={page.empty}>
              {words.none} <code>{words.noneCli}</code>
            </p>
          ) : (
            <DataTable
              rows={items}
              keyOf={({ key }) => key}
              columns={[
                { head: words.key, cell: ({ key }) => <code>{key}</code> },
                { head: words.running, cell: ({ running }) => <span className="num">{running}</span> },
                { head: words.maxRunning, cell: ({ max_running }) => <LimitValue value={max_running} /> },
                {
                  head: words.perMinute,
                  cell: ({ jobs_per_minute }) => <LimitValue value={jobs_per_minute} />,
                },
              ]}
              actions={(limit) => (
                <>
                  <GatedButton variant="default" refused={refused} onClick={() => setSetting({ limit })}>
                    {words.change}
                  </GatedButton>
                  <GatedButton
                    variant="default"
                    refused={refused}
                    onClick={() => void clear(limit).catch(showError)}
                  >
                    {words.clear}
                  </GatedButton>
                </>
              )}
            />
          )
        }
      </QueryState>
      {setting && <LimitDialog {...setting} onSet={show} onClose={() => setSetting(undefined)} />}
    </section>
  );
}

function LimitValue({ value }: { value: number | null | undefined }) {
  return value ? <span className="num">{value}</span> : <span className="faint">{words.noLimit}</span>;
}
