import { useSyncExternalStore } from "react";
import { storage } from "../app/storage";
import { type Bindings, type Command, DEFAULT_KEYS } from "./keys";

/** The user's shortcuts in this browser. */
export interface KeyChoice {
  isOff: boolean;
  bindings: Bindings;
}

const DEFAULTS: KeyChoice = { isOff: false, bindings: DEFAULT_KEYS };
const COMMANDS = Object.keys(DEFAULT_KEYS) as Command[];

/** Parses stored shortcuts and ignores invalid ones. */
export function parseKeyChoice(stored: string | null): KeyChoice {
  try {
    const { isOff, keys } = JSON.parse(stored ?? "{}") as {
      isOff?: unknown;
      keys?: Record<string, unknown>;
    };
    const changed = COMMANDS.filter((command) => isKeys(keys?.[command])).map((command) => [
      command,
      keys?.[command],
    ]);
    return { isOff: isOff === true, bindings: { ...DEFAULT_KEYS, ...Object.fromEntries(changed) } };
  } catch {
    return DEFAULTS;
  }
}

/** Stores only changed shortcuts, so that later changes of the defaults apply to everyone. */
export function serializeKeyChoice({ isOff, bindings }: KeyChoice): string {
  const changed = COMMANDS.filter((command) => bindings[command] !== DEFAULT_KEYS[command]);
  return JSON.stringify({
    isOff,
    keys: Object.fromEntries(changed.map((command) => [command, bindings[command]])),
  });
}

function isKeys(value: unknown): value is string {
  return typeof value === "string" && /^\S( \S)?$/u.test(value);
}

let current = parseKeyChoice(storage.read("keys"));
const listeners = new Set<() => void>();

export function keyChoice(): KeyChoice {
  return current;
}

export function updateKeyChoice(change: Partial<KeyChoice>): void {
  current = { ...current, ...change };
  storage.write("keys", serializeKeyChoice(current));
  for (const listener of listeners) listener();
}

export function useKeyChoice(): KeyChoice {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, keyChoice);
}
