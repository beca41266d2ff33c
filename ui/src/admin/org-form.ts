import type { Org, OrgPatch } from "../api/model";

/** Final job statuses, each with its own retention period. */
export const FINAL_STATUSES = ["succeeded", "failed", "dead_letter", "canceled"] as const;
export type FinalStatus = (typeof FINAL_STATUSES)[number];

const DAY = 86_400;

export const retentionOf = (org: Org, status: FinalStatus): number | null =>
  org[`keep_${status}_seconds`] ?? null;

/** Days shown in the field; empty if the hub default applies. */
export const daysOf = (seconds: number | null): number | "" =>
  seconds === null ? "" : Number((seconds / DAY).toFixed(3));

/** Request value of the field. Anything that is not a number means the hub default. */
export const retentionOfDays = (status: FinalStatus, days: number | string): Partial<Org> => ({
  [`keep_${status}_seconds`]: typeof days === "number" ? Math.round(days * DAY) : null,
});

/** Contains only changed fields, so that saving does not overwrite concurrent changes of other users. */
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
  for (const status of FINAL_STATUSES) {
    if (retentionOf(after, status) !== retentionOf(before, status))
      patch[`keep_${status}_seconds`] = retentionOf(after, status);
  }
  return patch;
}
