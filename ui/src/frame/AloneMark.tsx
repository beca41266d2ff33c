import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/keys";
import { useSession } from "../app/session";
import { aloneText } from "../messages/alone";
import { Icon } from "../parts/Icon";
import { Tip } from "../parts/Tip";
import styles from "./Header.module.css";

const EVERY_MS = 60_000;

/** Header mark for standalone mode, detected by rows that this machine still has to send to a hub. */
export default function AloneMark() {
  const { org, api } = useSession();
  const sync = useQuery({ queryKey: keys.sync(org.slug), queryFn: api.sync, refetchInterval: EVERY_MS });
  const own = sync.data?.own ?? [];
  if (own.length === 0) return null;
  const waiting = own.reduce((sum, lane) => sum + lane.waiting, 0);
  const note = own.some(({ hub_id }) => hub_id) ? aloneText.waiting(waiting) : aloneText.note;
  return (
    <Tip label={note}>
      <span className={styles.plain} data-quiet>
        <Icon name="hosts" />
        {aloneText.title}
        <span className="sr-only">{note}</span>
      </span>
    </Tip>
  );
}
