import type { Labels } from "../api/model";
import { hostText } from "../messages/host";

const KEY = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?$/;
const VALUE = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/;
const LENGTH_MAX = 63;
const LABELS_MAX = 64;

type ParsedLabels = { labels: Labels; problem?: never } | { labels?: never; problem: string };

/** Parses "env=prod, gpu" by the hub's rules, so that mistakes are shown before sending. */
export function parseLabels(text: string): ParsedLabels {
  const labels: Labels = {};
  for (const part of text.split(/[,\n]/)) {
    const pair = part.trim();
    if (!pair) continue;
    const cut = pair.indexOf("=");
    const key = (cut < 0 ? pair : pair.slice(0, cut)).trim();
    const value = cut < 0 ? "" : pair.slice(cut + 1).trim();
    if (key.length > LENGTH_MAX || !KEY.test(key)) return { problem: hostText.labels.badKey(key) };
    if (value.length > LENGTH_MAX || !VALUE.test(value)) return { problem: hostText.labels.badValue(value) };
    if (Object.hasOwn(labels, key)) return { problem: hostText.labels.twice(key) };
    labels[key] = value;
  }
  if (Object.keys(labels).length > LABELS_MAX) return { problem: hostText.labels.tooMany };
  return { labels };
}

export function labelText(key: string, value: string): string {
  return value === "" ? key : `${key}=${value}`;
}

export function writeLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => labelText(key, value))
    .join(", ");
}

/** Patch from `before` to `after`; `null` removes a label. */
export function labelChanges(before: Labels, after: Labels): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) changes[key] = null;
  for (const [key, value] of Object.entries(after)) if (before[key] !== value) changes[key] = value;
  return changes;
}
