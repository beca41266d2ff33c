import { type Completion, completionsAt } from "../parts/filter-terms";
import { JOB_STATUSES } from "./job-status";

/** Known names for completion in the filter. */
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

function valuesOf(key: string, vocabulary: Vocabulary): string[] {
  switch (key) {
    case "status":
      return [...JOB_STATUSES];
    case "source":
      return ["manual", "event", "schedule", "system"];
    case "host":
      return vocabulary.hosts;
    case "def":
      return vocabulary.definitions;
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

export function completeJobFilter(text: string, caret: number, vocabulary: Vocabulary): Completion {
  return completionsAt(text, caret, KEYS, (key) => valuesOf(key, vocabulary));
}
