import { Link } from "@tanstack/react-router";
import { text } from "../messages";
import styles from "./HostTable.module.css";

/** How many jobs wait for a host, as a way to them. */
export function WaitingLink({ host, count }: { host: string; count: number | undefined }) {
  if (!count) return null;
  return (
    <Link to="/jobs" search={{ filter: `status:queued host:${host}` }} className={styles.waiting}>
      {text.hosts.waiting(count)}
    </Link>
  );
}
