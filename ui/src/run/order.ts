import type { Definition } from "../api/model";

/** Built-in definitions that control servers; rarely run by hand. */
const OF_SERVERS = /^SERVER_/;

/** Sorts definitions by name, with those that control servers last. */
export function inOrder<T extends Pick<Definition, "key">>(definitions: readonly T[]): T[] {
  return definitions.toSorted(
    (a, b) => Number(OF_SERVERS.test(a.key)) - Number(OF_SERVERS.test(b.key)) || a.key.localeCompare(b.key),
  );
}
