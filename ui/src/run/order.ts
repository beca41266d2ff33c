import type { Definition } from "../api/model";

/** What Hostler makes for servers by itself: people seldom run it by hand. */
const OF_SERVERS = /^SERVER_/;

/** What people run first, by name; the servers' own acts last. */
export function inOrder<T extends Pick<Definition, "key">>(definitions: readonly T[]): T[] {
  return definitions.toSorted(
    (a, b) => Number(OF_SERVERS.test(a.key)) - Number(OF_SERVERS.test(b.key)) || a.key.localeCompare(b.key),
  );
}
