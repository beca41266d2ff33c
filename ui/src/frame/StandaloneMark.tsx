import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { standaloneText } from "../messages/standalone";
import { Icon } from "../parts/Icon";
import { Tooltip } from "../parts/Tooltip";
import styles from "./Header.module.css";

const EVERY_MS = 60_000;

/** Header mark for standalone mode, detected by rows that this machine still has to send to a hub. */
export default function StandaloneMark() {
  const { org, api } = useSession();
  const sync = useQuery({ queryKey: keys.sync(org.slug), queryFn: api.sync, refetchInterval: EVERY_MS });
  const origins = sync.data?.own ?? [];
  if (origins.length === 0) return null;
  const waiting = origins.reduce((sum, { waiting }) => sum + waiting, 0);
  const note = origins.some(({ hub_id }) => hub_id)
    ? standaloneText.pendingChanges(waiting)
    : standaloneText.note;
  return (
    <Tooltip label={note}>
      <span className={styles.notice} data-muted>
        <Icon name="hosts" />
        {standaloneText.title}
        <span className="sr-only">{note}</span>
      </span>
    </Tooltip>
  );
}
