/** Default shortcuts: one key or a chord of two. Capital letters are for actions that change something. */
export const DEFAULT_KEYS = {
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

export type Command = keyof typeof DEFAULT_KEYS;

/** Shortcuts by command. */
export type Bindings = Readonly<Record<Command, string>>;

/** How long the first key of a chord waits for the second. */
const CHORD_MS = 1500;

/** Maps key presses to commands, including chords of two keys. */
export class KeyReader {
  private prefix = "";
  private prefixAt = Number.NEGATIVE_INFINITY;

  read(key: string, now: number, bindings: Bindings): Command | undefined {
    const chord = now - this.prefixAt < CHORD_MS ? `${this.prefix} ${key}` : undefined;
    this.prefixAt = Number.NEGATIVE_INFINITY;
    const found = (chord && commandOf(chord, bindings)) || commandOf(key, bindings);
    if (found) return found;
    if (Object.values(bindings).some((keys) => keys.startsWith(`${key} `))) {
      this.prefix = key;
      this.prefixAt = now;
    }
    return undefined;
  }
}

function commandOf(keys: string, bindings: Bindings): Command | undefined {
  return (Object.keys(bindings) as Command[]).find((command) => bindings[command] === keys);
}

/** The command that conflicts with these keys: the same keys, or one is the prefix of the other. */
export function conflictingCommand(command: Command, keys: string, bindings: Bindings): Command | undefined {
  return (Object.keys(bindings) as Command[]).find((other) => {
    const otherKeys = bindings[other];
    const isShared =
      otherKeys === keys || otherKeys.startsWith(`${keys} `) || keys.startsWith(`${otherKeys} `);
    return other !== command && isShared;
  });
}

/** Whether the target is a text field, where shortcuts are off. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}
