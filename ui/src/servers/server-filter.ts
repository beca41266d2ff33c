import type { Server, ServerState } from "../api/model";
import { asked, type Completion, completed, termsOf, toggled } from "../parts/filter-terms";
import { SERVER_STATES } from "./state";

const KEYS = ["state:", "host:"];

export function statesOf(filter: string | undefined): ServerState[] {
  return asked(filter, "state", SERVER_STATES);
}

export function toggleState(filter: string | undefined, state: ServerState): string {
  return toggled(filter, "state", SERVER_STATES, state);
}

export function complete(written: string, caret: number, hosts: readonly string[]): Completion {
  return completed(written, caret, KEYS, (key) => {
    if (key === "state") return SERVER_STATES;
    return key === "host" ? hosts : [];
  });
}

/** Whether a server matches all terms; a term with a leading `-` must not match. */
export function fits(server: Server, filter: string | undefined): boolean {
  return termsOf(filter).every((term) => {
    const isNegated = term.length > 1 && term.startsWith("-");
    return fitsTerm(server, isNegated ? term.slice(1) : term) !== isNegated;
  });
}

function fitsTerm(server: Server, term: string): boolean {
  const [, key, rest = ""] = /^(state|host):(.*)$/.exec(term) ?? [];
  const words = rest
    .replaceAll('"', "")
    .split(",")
    .filter((word) => word !== "");
  // A key without a value is still being typed and matches everything.
  if (key && words.length === 0) return true;
  if (key === "state") return words.includes(server.state);
  if (key === "host") return words.some((word) => isLike(server.host, word));
  const wanted = term.replaceAll('"', "").toLowerCase();
  const { name, host, state_reason: reason, spec } = server;
  return [name, host, reason, spec.argv.join(" "), spec.ports.join(" ")].some((each) =>
    each.toLowerCase().includes(wanted),
  );
}

/** Matches a name against a pattern with `*` wildcards. */
function isLike(name: string, pattern: string): boolean {
  const source = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${source}$`, "i").test(name);
}
