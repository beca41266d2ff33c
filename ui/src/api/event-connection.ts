import { basePath } from "../app/base";

export interface EventConnectionCallbacks {
  onOpen: () => void;
  onMessage: (data: unknown) => void;
  onClose: () => void;
}

export interface EventConnection {
  isOpen: () => boolean;
  close: () => void;
}

/** Transport: a WebSocket, or server-sent events where a proxy blocks WebSockets. */
export type Transport = "socket" | "stream";

/** Tries a socket first. If none has ever opened, every second attempt is a stream. */
export function nextTransport(hasSocketOpened: boolean, failures: number): Transport {
  return !hasSocketOpened && failures % 2 === 1 ? "stream" : "socket";
}

/** Opens an event connection. With a cursor, the hub first sends the events missed since. */
export function openEventConnection(
  transport: Transport,
  slug: string,
  cursor: number | undefined,
  events: EventConnectionCallbacks,
): EventConnection {
  const path = `${basePath}/api/v1/orgs/${encodeURIComponent(slug)}/events`;
  const from = cursor === undefined ? "" : `?cursor=${cursor}`;
  return transport === "socket" ? openSocket(`${path}${from}`, events) : openStream(`${path}${from}`, events);
}

function openSocket(path: string, { onOpen, onMessage, onClose }: EventConnectionCallbacks): EventConnection {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}${path}`);
  socket.onopen = onOpen;
  socket.onmessage = ({ data }) => onMessage(data);
  socket.onclose = onClose;
  return { isOpen: () => socket.readyState === WebSocket.OPEN, close: () => socket.close() };
}

function openStream(path: string, { onOpen, onMessage, onClose }: EventConnectionCallbacks): EventConnection {
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
