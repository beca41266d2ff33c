import { useSyncExternalStore } from "react";

interface Toast {
  id: number;
  message: string;
  undo?: () => void;
}

/** Long enough to read and to reach Undo. */
const SHOWN_MS = 8000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function dismiss(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function toast(message: string, undo?: () => void): void {
  lastId += 1;
  const id = lastId;
  set([...toasts.slice(-2), undo ? { id, message, undo } : { id, message }]);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
}
