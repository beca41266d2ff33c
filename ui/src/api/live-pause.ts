import { useSyncExternalStore } from "react";

let isStopped = false;
const listeners = new Set<() => void>();
const resumeListeners = new Set<() => void>();

/** Whether the user paused updates: no patches, polls or refetches. */
export function isPaused(): boolean {
  return isStopped;
}

export function setPaused(paused: boolean): void {
  if (isStopped === paused) return;
  isStopped = paused;
  for (const listener of listeners) listener();
  if (!paused) for (const listener of resumeListeners) listener();
}

/** Registers a listener for pause and resume. */
export function onPause(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Registers a listener for resume, to fetch missed changes. */
export function onResume(listener: () => void): () => void {
  resumeListeners.add(listener);
  return () => resumeListeners.delete(listener);
}

export function usePaused(): boolean {
  return useSyncExternalStore(onPause, isPaused);
}
