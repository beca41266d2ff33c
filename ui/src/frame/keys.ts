export type Command =
  | "filter"
  | "overview"
  | "hosts"
  | "servers"
  | "jobs"
  | "triggers"
  | "alerts"
  | "events"
  | "definitions"
  | "people"
  | "audit"
  | "create"
  | "pause"
  | "next"
  | "previous"
  | "utc"
  | "help";

/** Single keys, and chords that begin with `g`. */
const SINGLE: Record<string, Command> = {
  "/": "filter",
  j: "next",
  k: "previous",
  c: "create",
  p: "pause",
  u: "utc",
  "?": "help",
};
const AFTER_G: Record<string, Command> = {
  o: "overview",
  h: "hosts",
  s: "servers",
  j: "jobs",
  t: "triggers",
  l: "alerts",
  e: "events",
  d: "definitions",
  p: "people",
  a: "audit",
};

/** How long a `g` waits for its second key. */
const CHORD_MS = 1500;

/** Turns key presses into commands; remembers a `g` for a moment. */
export class KeyReader {
  private chordAt = Number.NEGATIVE_INFINITY;

  read(key: string, now: number): Command | undefined {
    const isChord = now - this.chordAt < CHORD_MS;
    this.chordAt = Number.NEGATIVE_INFINITY;
    if (isChord && key in AFTER_G) return AFTER_G[key];
    if (key === "g") {
      this.chordAt = now;
      return undefined;
    }
    return SINGLE[key];
  }
}

/** Letters mean letters where text is written. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}
