import { runText } from "../messages/run";

/** Parses JSON; returns the error if it is invalid. Empty text means an empty object. */
export function readJson(written: string): { value?: unknown; error?: string } {
  if (written.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(written) as unknown };
  } catch (cause) {
    return { error: runText.notJson(cause instanceof Error ? cause.message : String(cause)) };
  }
}

export function writeJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
