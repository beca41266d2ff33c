import { useSyncExternalStore } from "react";

interface Toast {
  id: number;
  message: string;
  undo?: () => void;
  /** Link to the result. */
  link?: { label: string; go: () => void };
}

const TOAST_MS = 8000;

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
  show(undo ? { message, undo } : { message });
}

export function toastWithLink(message: string, label: string, go: () => void): void {
  show({ message, link: { label, go } });
}

export function showError(error: Error): void {
  toast(error.message);
}

function show(content: Omit<Toast, "id">): void {
  lastId += 1;
  const id = lastId;
  set([...toasts.slice(-2), { ...content, id }]);
  setTimeout(() => dismiss(id), TOAST_MS);
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
