/** What keys do, and which: one key, or two after each other. Capital letters have consequences. */
export const USUAL_KEYS = {
  filter: "/",
  overview: "g o",
  hosts: "g h",
  servers: "g s",
  jobs: "g j",
  triggers: "g t",
  alerts: "g l",
  events: "g e",
  definitions: "g d",
  people: "g p",
  audit: "g a",
  create: "c",
  next: "j",
  previous: "k",
  select: "x",
  range: "X",
  menu: ".",
  retry: "r",
  cancel: "C",
  attemptBefore: "[",
  attemptAfter: "]",
  follow: "f",
  hitNext: "n",
  hitBefore: "N",
  unfold: "o",
  link: "y",
  pause: "p",
  utc: "u",
  help: "?",
} as const satisfies Record<string, string>;

export type Command = keyof typeof USUAL_KEYS;

/** Which keys stand for what, as somebody has them. */
export type Bindings = Readonly<Record<Command, string>>;

/** How long a first key waits for its second. */
const CHORD_MS = 1500;

/** Turns key presses into commands; remembers the first key of two for a moment. */
export class KeyReader {
  private begun = "";
  private begunAt = Number.NEGATIVE_INFINITY;

  read(key: string, now: number, bindings: Bindings): Command | undefined {
    const chord = now - this.begunAt < CHORD_MS ? `${this.begun} ${key}` : undefined;
    this.begunAt = Number.NEGATIVE_INFINITY;
    const found = (chord && commandOf(chord, bindings)) || commandOf(key, bindings);
    if (found) return found;
    if (Object.values(bindings).some((keys) => keys.startsWith(`${key} `))) {
      this.begun = key;
      this.begunAt = now;
    }
    return undefined;
  }
}

function commandOf(keys: string, bindings: Bindings): Command | undefined {
  return (Object.keys(bindings) as Command[]).find((command) => bindings[command] === keys);
}

/** The command that keeps another from having these keys: it has them, or one would wait for the other. */
export function inTheWay(command: Command, keys: string, bindings: Bindings): Command | undefined {
  return (Object.keys(bindings) as Command[]).find((other) => {
    const theirs = bindings[other];
    const isShared = theirs === keys || theirs.startsWith(`${keys} `) || keys.startsWith(`${theirs} `);
    return other !== command && isShared;
  });
}

/** Letters mean letters where text is written. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}
