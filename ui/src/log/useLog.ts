import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { hubNow } from "../time/clock";
import { type FetchLog, LogStore } from "./log-store";

/** How long after its end a run's last lines may still be on their way. */
const FRESH_MS = 30_000;
const RECHECK_MS = [400, 1500, 4000];

/** The output of one run, read while it is looked at. */
export function useLog(fetchLog: FetchLog, finishedAt: string | null | undefined): LogStore {
  const [store, setStore] = useState(() => new LogStore(fetchLog));
  const finished = useRef(finishedAt);
  finished.current = finishedAt;
  useEffect(() => {
    const isFresh = () => !finished.current || hubNow() - Date.parse(finished.current) < FRESH_MS;
    const own = new LogStore(fetchLog, () => (isFresh() ? RECHECK_MS : []));
    setStore(own);
    void own.run(untilVisible);
    return () => own.stop();
  }, [fetchLog]);
  useSyncExternalStore(store.subscribe, store.version);
  return store;
}

/** A hidden page reads nothing. */
function untilVisible(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((done) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      done();
    };
    document.addEventListener("visibilitychange", look);
  });
}
