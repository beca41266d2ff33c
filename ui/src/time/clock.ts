import { useSyncExternalStore } from "react";

/** Offset of the hub's clock from the browser's clock, in milliseconds. */
let offset = 0;
let ticks = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Refresh interval of relative times. */
const TICK_MS = 5000;

/** Sets the clock offset from a response, assuming equal latency in both directions. */
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

function readTicks(): number {
  return ticks;
}

function tick(): void {
  ticks += 1;
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

/** Re-renders every few seconds, and after a clock update. */
export function useTick(): void {
  useSyncExternalStore(subscribe, readTicks, readTicks);
}

/** Time of the hub, updated every few seconds. */
export function useNow(): number {
  useTick();
  return hubNow();
}
