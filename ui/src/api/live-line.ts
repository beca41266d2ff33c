import { basePath } from "../app/base";

/** Callbacks of an event connection. */
export interface LineEvents {
  onOpen: () => void;
  onMessage: (data: unknown) => void;
  onClose: () => void;
}

/** An event connection to the hub. */
export interface Line {
  isOpen: () => boolean;
  close: () => void;
}

/** Transport: a WebSocket, or server-sent events where a proxy blocks WebSockets. */
export type LineKind = "socket" | "stream";

/** Tries a socket first. If none has ever opened, every second attempt is a stream. */
export function nextKind(hasSocketOpened: boolean, failures: number): LineKind {
  return !hasSocketOpened && failures % 2 === 1 ? "stream" : "socket";
}

/** Opens an event connection. With a cursor, the hub first sends the events missed since. */
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
    // EventSource would reconnect at its first cursor; close it so the caller reconnects at the latest one.
    stream.close();
    onClose();
  };
  return { isOpen: () => stream.readyState === EventSource.OPEN, close: () => stream.close() };
}
