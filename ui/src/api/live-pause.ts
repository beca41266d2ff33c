import { useSyncExternalStore } from "react";

let isStopped = false;
const listeners = new Set<() => void>();
const resumers = new Set<() => void>();

/** Whether the user paused updates: no patches, polls or refetches. */
export function isPaused(): boolean {
  return isStopped;
}

export function setPaused(paused: boolean): void {
  if (isStopped === paused) return;
  isStopped = paused;
  for (const listener of listeners) listener();
  if (!paused) for (const resumer of resumers) resumer();
}

/** Registers a listener for pause and resume. */
export function onPause(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Registers a listener for resume, to fetch missed changes. */
export function onResume(resumer: () => void): () => void {
  resumers.add(resumer);
  return () => resumers.delete(resumer);
}

export function usePaused(): boolean {
  return useSyncExternalStore(onPause, isPaused);
}
