import type { Org, OrgPatch } from "../api/model";

/** How jobs end, each kept for a time of its own. */
export const ENDS = ["succeeded", "failed", "dead_letter", "canceled"] as const;
export type End = (typeof ENDS)[number];

const DAY = 86_400;

export const keepOf = (org: Org, end: End): number | null => org[`keep_${end}_seconds`] ?? null;

/** What the field shows: days, or nothing where the hub decides. */
export const daysOf = (seconds: number | null): number | "" =>
  seconds === null ? "" : Number((seconds / DAY).toFixed(3));

/** What the field means. Text that is not a number yet counts as nothing. */
export const keepOfDays = (end: End, days: number | string): Partial<Org> => ({
  [`keep_${end}_seconds`]: typeof days === "number" ? Math.round(days * DAY) : null,
});

/** Only what differs: a field nobody touched must not overwrite what somebody else changed meanwhile. */
export function patchOf(before: Org, after: Org): OrgPatch {
  const patch: OrgPatch = {};
  if (after.name.trim() !== before.name) patch.name = after.name.trim();
  if (after.timezone !== before.timezone) patch.timezone = after.timezone;
  if (after.offline_after_seconds !== before.offline_after_seconds) {
    patch.offline_after_seconds = after.offline_after_seconds;
  }
  if (after.alert_after_seconds !== before.alert_after_seconds) {
    patch.alert_after_seconds = after.alert_after_seconds;
  }
  for (const end of ENDS) {
    if (keepOf(after, end) !== keepOf(before, end)) patch[`keep_${end}_seconds`] = keepOf(after, end);
  }
  return patch;
}
