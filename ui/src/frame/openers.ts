/** Lets other components open the key help and the palette of the keyboard layer. */
type Overlay = "key-help" | "palette";

const eventName = (overlay: Overlay) => `hostler:${overlay}`;

export function open(overlay: Overlay): void {
  window.dispatchEvent(new Event(eventName(overlay)));
}

export function onOpen(overlay: Overlay, listener: () => void): () => void {
  window.addEventListener(eventName(overlay), listener);
  return () => window.removeEventListener(eventName(overlay), listener);
}
