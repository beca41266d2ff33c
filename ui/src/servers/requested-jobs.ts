import { useSyncExternalStore } from "react";

/** Last job requested on this page per server, so that its result is shown beside the server. */
let jobs: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

export function setRequestedJob(server: string, job: string): void {
  jobs = new Map(jobs).set(server, job);
  for (const listener of listeners) listener();
}

export function useRequestedJobs(): ReadonlyMap<string, string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => jobs,
  );
}

export function useRequestedJob(server: string): string | undefined {
  return useRequestedJobs().get(server);
}
