import { useQuery } from "@tanstack/react-query";
import { QueryState } from "../admin/QueryState";
import { keys } from "../api/keys";
import { usePollInterval } from "../api/live";
import { useSession } from "../app/session";
import { hostTabText } from "../messages/host-tabs";
import page from "../parts/Page.module.css";
import { TriggerTable } from "../triggers/TriggerTable";

/** The schedules that name a host. */
export default function HostSchedules({ name, id }: { name: string; id: string }) {
  const { org, api } = useSession();
  const triggers = useQuery({
    queryKey: keys.triggers(org.slug),
    queryFn: api.triggers,
    refetchInterval: usePollInterval(),
  });
  return (
    <QueryState query={triggers}>
      {({ items }) => {
        const own = items.filter(({ target }) => target?.host === name || target?.host === id);
        return own.length === 0 ? (
          <p className={page.empty}>{hostTabText.schedulesNone}</p>
        ) : (
          <>
            <TriggerTable triggers={own} />
            <p className={page.empty}>{hostTabText.schedulesNote}</p>
          </>
        );
      }}
    </QueryState>
  );
}
