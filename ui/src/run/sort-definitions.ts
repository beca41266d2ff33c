import type { Definition } from "../api/model";

/** Built-in definitions that control servers; rarely run by hand. */
const SERVER_DEFINITION = /^SERVER_/;

/** Sorts definitions by name, with those that control servers last. */
export function sortDefinitions<T extends Pick<Definition, "key">>(definitions: readonly T[]): T[] {
  return definitions.toSorted(
    (a, b) =>
      Number(SERVER_DEFINITION.test(a.key)) - Number(SERVER_DEFINITION.test(b.key)) ||
      a.key.localeCompare(b.key),
  );
}
