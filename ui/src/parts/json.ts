import { runText } from "../messages/run";

/** What a person wrote as JSON, or why it is none. Nothing at all means an empty object. */
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
