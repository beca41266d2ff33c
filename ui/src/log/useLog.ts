import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { isPaused, onPause } from "../api/live-pause";
import { hubNow } from "../time/clock";
import { type FetchLog, LogStore } from "./log-store";

/** How long after the end of a run its last lines may still arrive. */
const FRESH_MS = 30_000;
const RECHECK_MS = [400, 1500, 4000];

/** Loads the log of one run while the page is visible. `isEndSure`: see `LogViewer`. */
export function useLog(
  fetchLog: FetchLog,
  finishedAt: string | null | undefined,
  isEndSure: boolean,
): LogStore {
  const [store, setStore] = useState(() => new LogStore(fetchLog));
  const finished = useRef(finishedAt);
  finished.current = finishedAt;
  useEffect(() => {
    const isFresh = () => !finished.current || hubNow() - Date.parse(finished.current) < FRESH_MS;
    const own = new LogStore(fetchLog, () => (!isEndSure && isFresh() ? RECHECK_MS : []));
    setStore(own);
    void own.run(untilLooked);
    const stopLooking = onLook(() => {
      if (!isLooked()) own.rest();
    });
    return () => {
      stopLooking();
      own.stop();
    };
  }, [fetchLog, isEndSure]);
  useSyncExternalStore(store.subscribe, store.version);
  return store;
}

/** Whether to load lines: not on a hidden page and not while updates are paused. */
function isLooked(): boolean {
  return !document.hidden && !isPaused();
}

function onLook(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  const stopPause = onPause(listener);
  return () => {
    document.removeEventListener("visibilitychange", listener);
    stopPause();
  };
}

function untilLooked(): Promise<void> {
  if (isLooked()) return Promise.resolve();
  return new Promise((done) => {
    const stop = onLook(() => {
      if (!isLooked()) return;
      stop();
      done();
    });
  });
}
