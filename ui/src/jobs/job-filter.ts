import type { JobStatus } from "../api/model";
import { JOB_STATUSES } from "./job-status";

/** The filter of the list as it stands in the address. */
export interface JobFilter {
  filter?: string;
}

export function readJobFilter(search: Record<string, unknown>): JobFilter {
  const { filter } = search;
  const written = typeof filter === "string" || typeof filter === "number" ? String(filter).trim() : "";
  return written ? { filter: written } : {};
}

/** The terms of a filter: spaces part them, except between quotes. */
export function termsOf(filter: string | undefined): string[] {
  return (filter ?? "").match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
}

const STATUS = "status:";

/** The states asked for. A negated term asks for none. */
export function statusesOf(filter: string | undefined): JobStatus[] {
  const asked = termsOf(filter)
    .filter((term) => term.startsWith(STATUS))
    .flatMap((term) => term.slice(STATUS.length).split(","));
  return JOB_STATUSES.filter((status) => asked.includes(status));
}

/** Asks for a state too, or no longer; everything else of the filter stays. */
export function toggleStatus(filter: string | undefined, status: JobStatus): string {
  const chosen = new Set(statusesOf(filter));
  if (!chosen.delete(status)) chosen.add(status);
  const rest = termsOf(filter).filter((term) => !term.startsWith(STATUS));
  const statuses = JOB_STATUSES.filter((each) => chosen.has(each));
  return [...(statuses.length > 0 ? [STATUS + statuses.join(",")] : []), ...rest].join(" ");
}

/** What one can ask for, with what is known to be there. */
export interface Vocabulary {
  definitions: string[];
  hosts: string[];
}

const KEYS = [
  "status:",
  "source:",
  "host:",
  "def:",
  "after:",
  "before:",
  "user:",
  "reason:",
  "error:",
  "attempts:",
  "duration:",
  "exit:",
  "priority:",
  "queue:",
  "arg.",
  "label.",
  "id:",
  "key:",
  "correlation:",
  "batch:",
];

function valuesOf(key: string, known: Vocabulary): string[] {
  switch (key) {
    case "status":
      return [...JOB_STATUSES];
    case "source":
      return ["manual", "event", "schedule", "system"];
    case "host":
      return known.hosts;
    case "def":
      return known.definitions;
    case "after":
    case "before":
      return ["-15m", "-1h", "-24h", "-7d"];
    case "attempts":
      return [">1", ">2"];
    case "duration":
      return [">1m", ">5m", ">1h"];
    case "reason":
      return [
        "host_offline",
        "host_asleep",
        "at_limit",
        "rate_limit",
        "retry_backoff",
        "later",
        "no_host_matches",
      ];
    default:
      return [];
  }
}

export interface Completion {
  /** What is replaced: from here to the end of the word. */
  from: number;
  to: number;
  words: string[];
}

const SUGGESTED_MAX = 8;

/** What could stand where somebody is typing. */
export function complete(written: string, caret: number, known: Vocabulary): Completion {
  const before = written.slice(0, caret);
  const start = before.search(/\S*$/);
  const word = before.slice(start);
  const negation = word.startsWith("-") && !/^-\d/.test(word) ? 1 : 0;
  const colon = word.indexOf(":");
  if (colon < 0) {
    const typed = word.slice(negation);
    const words = KEYS.filter((key) => key.startsWith(typed) && key !== typed);
    return { from: start + negation, to: caret, words: words.slice(0, SUGGESTED_MAX) };
  }
  const comma = word.lastIndexOf(",");
  const from = start + Math.max(colon, comma) + 1;
  const typed = before.slice(from).toLowerCase();
  const words = valuesOf(word.slice(negation, colon), known).filter(
    (value) => value.toLowerCase().includes(typed) && value.toLowerCase() !== typed,
  );
  return { from, to: caret, words: words.slice(0, SUGGESTED_MAX) };
}
