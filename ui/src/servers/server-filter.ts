import type { Server, ServerState } from "../api/model";
import {
  type Completion,
  completionsAt,
  filterValues,
  termsOf,
  toggleFilterValue,
} from "../parts/filter-terms";
import { SERVER_STATES } from "./state";

const KEYS = ["state:", "host:"];

export function statesOf(filter: string | undefined): ServerState[] {
  return filterValues(filter, "state", SERVER_STATES);
}

export function toggleState(filter: string | undefined, state: ServerState): string {
  return toggleFilterValue(filter, "state", SERVER_STATES, state);
}

export function completeServerFilter(text: string, caret: number, hosts: readonly string[]): Completion {
  return completionsAt(text, caret, KEYS, (key) => {
    if (key === "state") return SERVER_STATES;
    return key === "host" ? hosts : [];
  });
}

/** Whether a server matches all terms; a term with a leading `-` must not match. */
export function matchesFilter(server: Server, filter: string | undefined): boolean {
  return termsOf(filter).every((term) => {
    const isNegated = term.length > 1 && term.startsWith("-");
    return matchesTerm(server, isNegated ? term.slice(1) : term) !== isNegated;
  });
}

function matchesTerm(server: Server, term: string): boolean {
  const [, key, rest = ""] = /^(state|host):(.*)$/.exec(term) ?? [];
  const words = rest
    .replaceAll('"', "")
    .split(",")
    .filter((word) => word !== "");
  // A key without a value is still being typed and matches everything.
  if (key && words.length === 0) return true;
  if (key === "state") return words.includes(server.state);
  if (key === "host") return words.some((word) => matchesPattern(server.host, word));
  const search = term.replaceAll('"', "").toLowerCase();
  const { name, host, state_reason: reason, spec } = server;
  return [name, host, reason, spec.argv.join(" "), spec.ports.join(" ")].some((each) =>
    each.toLowerCase().includes(search),
  );
}

/** Matches a name against a pattern with `*` wildcards. */
function matchesPattern(name: string, pattern: string): boolean {
  const source = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${source}$`, "i").test(name);
}
