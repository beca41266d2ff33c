import type { HostStatus } from "../api/model";

const characters = (n: number) => `${n.toLocaleString("en")} ${n === 1 ? "character" : "characters"}`;

/** Texts of the form that creates a job, and of fields generated from a payload schema. */
export const runText = {
  title: "Run job",
  definition: "Definition",
  definitionHint: "Search definitions",
  none: "No definitions available",
  noneHint: "A super admin of this hub can add definitions for this organization.",
  target: "Target",
  anyHost: "Any matching host",
  onHost: "One host",
  onSelector: "A host with labels",
  host: "Host",
  selector: "Labels",
  selectorHint: "for example env=prod,!gpu",
  noMatch: "No host matches now. The job will wait until one does.",
  matches: (names: string[], total: number) =>
    `Matches ${names.join(", ")}${total > names.length ? ` and ${total - names.length} more` : ""}.`,
  hostNotReady: (name: string, status: HostStatus) => {
    if (status === "revoked") return `The keys of ${name} are revoked. The job cannot run there.`;
    if (status === "paused") return `${name} is paused. The job will wait until the host is resumed.`;
    if (status === "pending") return `${name} is pending. The job will wait until its runner connects.`;
    return `${name} is ${status}. The job will wait until the host reconnects.`;
  },
  payload: "Payload",
  form: "Form",
  json: "JSON",
  unknownSchema: "The form does not support the schema of this definition. Enter the payload as JSON.",
  noFields: "This definition takes no payload.",
  notJson: (why: string) => `Invalid JSON: ${why}`,
  required: "Required",
  notNumber: "Must be a number",
  notWhole: "Must be a whole number",
  tooSmall: (min: number) => `Must be at least ${min}`,
  tooLarge: (max: number) => `Must be at most ${max}`,
  tooShort: (min: number) => `Must have at least ${characters(min)}`,
  tooLong: (max: number) => `Must have at most ${characters(max)}`,
  patternMismatch: (pattern: string) => `Must match ${pattern}`,
  hidden: "Stored encrypted and never shown again.",
  onePerLine: "One value per line.",
  notSet: "not set",
  byDefault: "default",
  yes: "yes",
  no: "no",
  more: "Options",
  when: "Not before",
  whenHint: (zone: string) => `empty: immediately · ${zone}`,
  priority: "Priority",
  priorityHint: "lower numbers run first",
  dedupe: "Dedupe key",
  dedupeHint: "prevents a second job while one with this key is queued or running",
  cli: "Command line",
  submit: "Run job",
  created: (id: string) => `${id} queued`,
  exists: (id: string) => `No job created: ${id} has the same dedupe key`,
  fixErrors: "Fix the marked fields.",
};
