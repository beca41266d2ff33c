import { runText } from "../messages/run";

/** Parses JSON; returns the error if it is invalid. Empty text means an empty object. */
export function readJson(text: string): { value?: unknown; error?: string } {
  if (text.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (cause) {
    return { error: runText.notJson(cause instanceof Error ? cause.message : String(cause)) };
  }
}

export function writeJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
