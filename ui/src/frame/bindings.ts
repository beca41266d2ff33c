import { useSyncExternalStore } from "react";
import { storage } from "../app/storage";
import { type Bindings, type Command, USUAL_KEYS } from "./keys";

/** The user's shortcuts in this browser. */
export interface KeyChoice {
  isOff: boolean;
  bindings: Bindings;
}

const USUAL: KeyChoice = { isOff: false, bindings: USUAL_KEYS };
const COMMANDS = Object.keys(USUAL_KEYS) as Command[];

/** Parses stored shortcuts and ignores invalid ones. */
export function readChoice(written: string | null): KeyChoice {
  try {
    const { isOff, keys } = JSON.parse(written ?? "{}") as {
      isOff?: unknown;
      keys?: Record<string, unknown>;
    };
    const own = COMMANDS.filter((command) => isKeys(keys?.[command])).map((command) => [
      command,
      keys?.[command],
    ]);
    return { isOff: isOff === true, bindings: { ...USUAL_KEYS, ...Object.fromEntries(own) } };
  } catch {
    return USUAL;
  }
}

/** Stores only changed shortcuts, so that later changes of the defaults apply to everyone. */
export function writeChoice({ isOff, bindings }: KeyChoice): string {
  const own = COMMANDS.filter((command) => bindings[command] !== USUAL_KEYS[command]);
  return JSON.stringify({
    isOff,
    keys: Object.fromEntries(own.map((command) => [command, bindings[command]])),
  });
}

function isKeys(value: unknown): value is string {
  return typeof value === "string" && /^\S( \S)?$/u.test(value);
}

let present = readChoice(storage.read("keys"));
const listeners = new Set<() => void>();

export function keyChoice(): KeyChoice {
  return present;
}

export function chooseKeys(change: Partial<KeyChoice>): void {
  present = { ...present, ...change };
  storage.write("keys", writeChoice(present));
  for (const listener of listeners) listener();
}

export function useKeyChoice(): KeyChoice {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, keyChoice);
}
