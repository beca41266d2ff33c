import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useSession } from "../app/session";
import { type FetchLog, LogStore } from "./log-store";

/** The output of one run of a job, read while it is looked at. */
export function useLog(job: string, attempt: number): { store: LogStore; fetchLog: FetchLog } {
  const { api } = useSession();
  const fetchLog = useMemo<FetchLog>(
    () => (ask, signal) => api.logs(job, { attempt, ...ask }, signal),
    [api, job, attempt],
  );
  const [store, setStore] = useState(() => new LogStore(fetchLog));
  useEffect(() => {
    const own = new LogStore(fetchLog);
    setStore(own);
    void own.run(untilVisible);
    return () => own.stop();
  }, [fetchLog]);
  useSyncExternalStore(store.subscribe, store.version);
  return { store, fetchLog };
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
