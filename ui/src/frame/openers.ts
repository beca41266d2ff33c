/** Lets something far from the keyboard layer open what that layer shows. */
type Opened = "key-help" | "palette";

const nameOf = (what: Opened) => `hostler:${what}`;

export function open(what: Opened): void {
  window.dispatchEvent(new Event(nameOf(what)));
}

export function onOpen(what: Opened, listener: () => void): () => void {
  window.addEventListener(nameOf(what), listener);
  return () => window.removeEventListener(nameOf(what), listener);
}
