import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { isPaused, onPause } from "../api/live-pause";
import { hubNow } from "../time/clock";
import { type FetchLog, LogStore } from "./log-store";

/** How long after the end of a run its last lines may still arrive. */
const FRESH_MS = 30_000;
const RECHECK_MS = [400, 1500, 4000];

/** Loads the log of one run while the page is visible. `isEndConfirmed`: see `LogViewer`. */
export function useLog(
  fetchLog: FetchLog,
  finishedAt: string | null | undefined,
  isEndConfirmed: boolean,
): LogStore {
  const [store, setStore] = useState(() => new LogStore(fetchLog));
  const finished = useRef(finishedAt);
  finished.current = finishedAt;
  useEffect(() => {
    const isFresh = () => !finished.current || hubNow() - Date.parse(finished.current) < FRESH_MS;
    const newStore = new LogStore(fetchLog, () => (!isEndConfirmed && isFresh() ? RECHECK_MS : []));
    setStore(newStore);
    void newStore.run(waitUntilActive);
    const unsubscribe = onActivityChange(() => {
      if (!isActive()) newStore.abortPoll();
    });
    return () => {
      unsubscribe();
      newStore.stop();
    };
  }, [fetchLog, isEndConfirmed]);
  useSyncExternalStore(store.subscribe, store.version);
  return store;
}

/** Whether to load lines: not on a hidden page and not while updates are paused. */
function isActive(): boolean {
  return !document.hidden && !isPaused();
}

function onActivityChange(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  const stopPause = onPause(listener);
  return () => {
    document.removeEventListener("visibilitychange", listener);
    stopPause();
  };
}

function waitUntilActive(): Promise<void> {
  if (isActive()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = onActivityChange(() => {
      if (!isActive()) return;
      stop();
      resolve();
    });
  });
}
