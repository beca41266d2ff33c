import { useSyncExternalStore } from "react";

let isStopped = false;
const listeners = new Set<() => void>();
const resumers = new Set<() => void>();

/** Whether the page stands still because somebody asked: nothing is patched, polled or asked again by itself. */
export function isPaused(): boolean {
  return isStopped;
}

export function setPaused(paused: boolean): void {
  if (isStopped === paused) return;
  isStopped = paused;
  for (const listener of listeners) listener();
  if (!paused) for (const resumer of resumers) resumer();
}

/** Called when the page begins to stand still, and when it moves again. */
export function onPause(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called when the page moves again, to ask for what happened meanwhile. */
export function onResume(resumer: () => void): () => void {
  resumers.add(resumer);
  return () => resumers.delete(resumer);
}

export function usePaused(): boolean {
  return useSyncExternalStore(onPause, isPaused);
}
