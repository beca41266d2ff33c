import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { keys } from "../api/keys";
import type { LiveState } from "../api/live";
import { useSession } from "../app/session";
import { text } from "../messages";
import { Icon } from "../parts/Icon";
import { clockOffset } from "../time/clock";
import { timeOfDay } from "../time/format";
import { useZoneName } from "../time/zone";
import styles from "./Frame.module.css";

/** Shorter interruptions are not shown. */
const NOTICEABLE_MS = 3000;
const CHECK_MS = 1000;

/** Ribbon with the time of the last update while the live connection is down. */
export function StaleRibbon({ live }: { live: LiveState }) {
  const zone = useZoneName();
  const asOf = useAsOf(live === "open");
  // The live region is always mounted, so that screen readers announce new text in it.
  return (
    <div role="status">
      {asOf !== undefined && (
        <p className={styles.stale}>
          <Icon name="alert" />
          <span>
            <strong className="num">{text.frame.asOf(timeOfDay(asOf + clockOffset(), zone))}</strong>{" "}
            {text.frame.staleNote}
          </span>
        </p>
      )}
    </div>
  );
}

/** Time of the last update while the connection is down; `undefined` while it is live. */
function useAsOf(isLive: boolean): number | undefined {
  const { org } = useSession();
  const client = useQueryClient();
  const [asOf, setAsOf] = useState<number>();
  useEffect(() => {
    if (isLive) return;
    const lostAt = Date.now();
    const check = () => {
      if (Date.now() - lostAt < NOTICEABLE_MS) return;
      const queries = client.getQueryCache().findAll({ queryKey: keys.org(org.slug), type: "active" });
      setAsOf(Math.max(lostAt, ...queries.map(({ state }) => state.dataUpdatedAt)));
    };
    const timer = setInterval(check, CHECK_MS);
    return () => {
      clearInterval(timer);
      setAsOf(undefined);
    };
  }, [isLive, client, org.slug]);
  return asOf;
}
