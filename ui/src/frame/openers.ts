/** Lets other components open the key help and the palette of the keyboard layer. */
type Opened = "key-help" | "palette";

const nameOf = (what: Opened) => `hostler:${what}`;

export function open(what: Opened): void {
  window.dispatchEvent(new Event(nameOf(what)));
}

export function onOpen(what: Opened, listener: () => void): () => void {
  window.addEventListener(nameOf(what), listener);
  return () => window.removeEventListener(nameOf(what), listener);
}
