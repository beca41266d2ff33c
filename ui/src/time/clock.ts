import { useSyncExternalStore } from "react";

/** How far the hub's clock is ahead of this browser's, in milliseconds. */
let offset = 0;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Often enough for "3 s ago" to stay honest, seldom enough for a calm page. */
const TICK_MS = 5000;

/** Takes the hub's clock from an answer; the way there and back is taken to be equally long. */
export function setHubTime(hubTime: string, sentAt: number, receivedAt: number): void {
  offset = Date.parse(hubTime) - (sentAt + receivedAt) / 2;
  tick();
}

export function clockOffset(): number {
  return offset;
}

export function hubNow(): number {
  return Date.now() + offset;
}

function tick(): void {
  now = hubNow();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The hub's time, moving on every few seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
