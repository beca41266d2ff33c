import { useSyncExternalStore } from "react";

export interface Progress {
  percent: number;
  message: string;
}

/** The hub does not store progress. Keeps the latest progress of this many recent jobs. */
const KEPT_MAX = 500;
const told = new Map<string, Progress>();
const listeners = new Set<() => void>();

export function setProgress(job: string, progress: Progress): void {
  told.delete(job);
  told.set(job, progress);
  const oldest = told.keys().next();
  if (told.size > KEPT_MAX && !oldest.done) told.delete(oldest.value);
  for (const listener of listeners) listener();
}

export function useProgress(job: string): Progress | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => told.get(job),
  );
}
