import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy } from "react";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import type { Hook } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { creatorName } from "../jobs/creator-name";
import { text } from "../messages";
import { hookText } from "../messages/hooks";
import { triggerText } from "../messages/triggers";
import { CopyButton } from "../parts/CopyButton";
import { DataTable } from "../parts/DataTable";
import { GatedButton } from "../parts/GatedButton";
import { ListPage } from "../parts/ListPage";
import { useTitle } from "../parts/useTitle";
import { Time } from "../time/Time";
import { TriggersTabs } from "../triggers/TriggersTabs";
import styles from "./Hooks.module.css";
import { useHookApi } from "./useHookApi";

const HookDialog = lazy(() => import("./HookDialog"));
const words = hookText;

export function HooksPage() {
  useTitle(words.title);
  const { org, role } = useSession();
  const api = useHookApi();
  const hooks = useQuery({
    queryKey: keys.hooks(org.slug),
    queryFn: api.hooks,
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
      query={hooks}
      none={words}
      dialog={(_, onClose) => <HookDialog onClose={onClose} />}
      removal={(row) => ({
        title: words.removeTitle(row.name),
        effect: words.removeEffect,
        submit: words.removeDo,
        doneText: words.removed(row.name),
        list: keys.hooks(org.slug),
        remove: () => api.removeHook(row.id),
      })}
    >
      {(items, { remove }) => (
        <DataTable
          rows={items}
          keyOf={({ id }) => id}
          columns={[
            { head: words.name, cell: ({ name }) => name },
            {
              head: words.event,
              cell: ({ event_name }) => (
                <Link to="/events" search={{ types: event_name }} data-row>
                  {event_name}
                </Link>
              ),
            },
            { head: words.scheme, cell: ({ scheme }) => words.schemes[scheme] ?? scheme },
            {
              head: words.address,
              cell: ({ url }) => (
                <span className={styles.address}>
                  <code>{url}</code>
                  <CopyButton value={url} variant="subtle" />
                </span>
              ),
              isLong: true,
            },
            { head: words.lastOk, cell: (hook) => <LastMessage hook={hook} />, isLong: true },
            { head: words.by, cell: ({ created_by }) => creatorName(created_by) },
          ]}
          actions={(hook) => (
            <GatedButton variant="default" refused={refused} onClick={() => remove(hook)}>
              {text.common.remove}
            </GatedButton>
          )}
        />
      )}
    </ListPage>
  );
}

/** Time of the last accepted message, and the reason of the last rejection. */
function LastMessage({ hook }: { hook: Hook }) {
  return (
    <>
      <Time at={hook.last_ok_at} none={text.common.never} />
      {hook.last_error && (
        <span className={styles.rejected}>
          {words.lastError} <Time at={hook.last_error_at} />: {hook.last_error}
        </span>
      )}
    </>
  );
}
