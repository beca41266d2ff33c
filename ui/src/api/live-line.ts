import { basePath } from "../app/base";

/** What comes over a line to the hub. */
export interface LineEvents {
  onOpen: () => void;
  onMessage: (data: unknown) => void;
  onClose: () => void;
}

/** One line over which events come. */
export interface Line {
  isOpen: () => boolean;
  close: () => void;
}

/** How events come: a socket, or a stream where something on the way lets no socket through. */
export type LineKind = "socket" | "stream";

/** Sockets are tried first; if none has ever opened, every second try is a stream. */
export function nextKind(hasSocketOpened: boolean, failures: number): LineKind {
  return !hasSocketOpened && failures % 2 === 1 ? "stream" : "socket";
}

/** Opens a line to an org's events. With a cursor the hub first tells what was missed since. */
export function openLine(kind: LineKind, slug: string, cursor: number | undefined, events: LineEvents): Line {
  const path = `${basePath}/api/v1/orgs/${encodeURIComponent(slug)}/events`;
  const from = cursor === undefined ? "" : `?cursor=${cursor}`;
  return kind === "socket" ? socketTo(`${path}${from}`, events) : streamFrom(`${path}${from}`, events);
}

function socketTo(path: string, { onOpen, onMessage, onClose }: LineEvents): Line {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}${path}`);
  socket.onopen = onOpen;
  socket.onmessage = ({ data }) => onMessage(data);
  socket.onclose = onClose;
  return { isOpen: () => socket.readyState === WebSocket.OPEN, close: () => socket.close() };
}

function streamFrom(path: string, { onOpen, onMessage, onClose }: LineEvents): Line {
  const stream = new EventSource(path);
  stream.onopen = onOpen;
  stream.onmessage = ({ data }) => onMessage(data);
  stream.onerror = () => {
    // A stream would begin again by itself, from where it began before: we know better where to go on.
    stream.close();
    onClose();
  };
  return { isOpen: () => stream.readyState === EventSource.OPEN, close: () => stream.close() };
}
