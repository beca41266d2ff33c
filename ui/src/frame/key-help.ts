/** Lets a menu far from the keyboard layer open its help. */
const EVENT = "hostler:key-help";

export function openKeyHelp(): void {
  window.dispatchEvent(new Event(EVENT));
}

export function onKeyHelp(listener: () => void): () => void {
  window.addEventListener(EVENT, listener);
  return () => window.removeEventListener(EVENT, listener);
}
