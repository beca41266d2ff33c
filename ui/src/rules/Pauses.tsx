import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Pause } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { creatorName } from "../jobs/creator-name";
import { rulesText } from "../messages/rules";
import { DataTable } from "../parts/DataTable";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import page from "../parts/Page.module.css";
import { showError, toast } from "../parts/toasts";
import { Time } from "../time/Time";
import { PauseDialog } from "./PauseDialog";
import styles from "./Rules.module.css";
import { useRulesApi } from "./useRulesApi";

const words = rulesText.pauses;

/** Active pauses with their creator and end. */
export function Pauses() {
  const { org, api, role } = useSession();
  const rules = useRulesApi();
  const client = useQueryClient();
  const pauses = useQuery({
    queryKey: keys.pauses(org.slug),
    queryFn: api.pauses,
    refetchInterval: usePollInterval(),
  });
  const [isAdding, setAdding] = useState(false);
  const refused = refusal(role, "operator");
  const show = (now: { items: Pause[] }) => client.setQueryData(keys.pauses(org.slug), now);
  const resume = async ({ kind, subject, note, until }: Pause) => {
    show(await rules.setPause({ kind, subject, resume: true }));
    toast(
      words.resumed(words.of(kind, subject)),
      () => void rules.setPause({ kind, subject, note, until: until ?? null }).then(show, showError),
    );
  };
  return (
    <section aria-labelledby="pauses">
      <div className={styles.section}>
        <h2 id="pauses">{words.title}</h2>
        <GatedButton
          variant="default"
          refused={refused}
          leftSection={<Icon name="pause" />}
          onClick={() => setAdding(true)}
        >
          {words.add}
        </GatedButton>
        <p className={styles.note}>{words.intro}</p>
      </div>
      <QueryState query={pauses}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={page.empty}>{words.none}</p>
          ) : (
            <DataTable
              rows={items}
              keyOf={({ kind, subject }) => `${kind} ${subject}`}
              columns={[
                { head: words.kind, cell: ({ kind, subject }) => words.of(kind, subject) },
                { head: words.note, cell: ({ note }) => <span className="dim">{note}</span>, isLong: true },
                { head: words.by, cell: ({ created_by }) => creatorName(created_by) },
                { head: words.since, cell: ({ created_at }) => <Time at={created_at} /> },
                {
                  head: words.ends,
                  cell: ({ until }) => <Time at={until} none={words.untilResumed} exact />,
                },
              ]}
              actions={(pause) => (
                <GatedButton
                  variant="default"
                  refused={refused}
                  onClick={() => void resume(pause).catch(showError)}
                >
                  {words.resume}
                </GatedButton>
              )}
            />
          )
        }
      </QueryState>
      {isAdding && <PauseDialog onPaused={show} onClose={() => setAdding(false)} />}
    </section>
  );
}
