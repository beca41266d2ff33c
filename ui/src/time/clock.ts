import { useSyncExternalStore } from "react";

/** How far the hub's clock is ahead of this browser's, in milliseconds. */
let offset = 0;
let ticks = 0;
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

/** Renders again every few seconds, and when the hub's clock was read. */
export function useTick(): void {
  useSyncExternalStore(subscribe, readTicks, readTicks);
}

/** The hub's time, moving on every few seconds. */
export function useNow(): number {
  useTick();
  return hubNow();
}
