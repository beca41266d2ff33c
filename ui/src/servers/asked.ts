import { useSyncExternalStore } from "react";

/** The last job that somebody made here for each server: its end is shown where it was asked for. */
let jobs: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

export function setAsked(server: string, job: string): void {
  jobs = new Map(jobs).set(server, job);
  for (const listener of listeners) listener();
}

export function useAllAsked(): ReadonlyMap<string, string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => jobs,
  );
}

export function useAsked(server: string): string | undefined {
  return useAllAsked().get(server);
}
