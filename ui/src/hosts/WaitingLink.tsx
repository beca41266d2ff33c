import { Link } from "@tanstack/react-router";
import { text } from "../messages";
import styles from "./HostTable.module.css";

/** Link to the jobs that wait for a host, with their count. */
export function WaitingLink({ host, count }: { host: string; count: number | undefined }) {
  if (!count) return null;
  return (
    <Link to="/jobs" search={{ filter: `status:queued host:${host}` }} className={styles.waiting}>
      {text.hosts.waiting(count)}
    </Link>
  );
}
