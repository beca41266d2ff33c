import { useSyncExternalStore } from "react";

export interface Progress {
  percent: number;
  message: string;
}

/** The hub does not store progress. Keeps the latest progress of this many recent jobs. */
const KEPT_MAX = 500;
const latest = new Map<string, Progress>();
const listeners = new Set<() => void>();

export function setProgress(job: string, progress: Progress): void {
  latest.delete(job);
  latest.set(job, progress);
  const oldest = latest.keys().next();
  if (latest.size > KEPT_MAX && !oldest.done) latest.delete(oldest.value);
  for (const listener of listeners) listener();
}

export function useProgress(job: string): Progress | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => latest.get(job),
  );
}
