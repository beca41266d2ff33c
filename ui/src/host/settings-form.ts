import type { HostDetail, HostPatch } from "../api/model";
import { labelChanges, parseLabels, writeLabels } from "../hosts/labels";

/** Form state. An empty number means no limit or the organization default. */
export interface SettingsForm {
  name: string;
  labels: string;
  alwaysOn: boolean;
  maxRunning: number | "";
  perMinute: number | "";
  offlineAfter: number | "";
  alertAfter: number | "";
}

export function formOf(host: HostDetail): SettingsForm {
  return {
    name: host.name,
    labels: writeLabels(host.labels),
    alwaysOn: host.always_on,
    maxRunning: host.limits.max_running ?? "",
    perMinute: host.limits.jobs_per_minute ?? "",
    offlineAfter: host.offline_after_seconds ?? "",
    alertAfter: host.alert_after_seconds ?? "",
  };
}

/** Contains only changed fields, so that saving does not overwrite concurrent changes of other users. */
export function patchOf(before: HostDetail, form: SettingsForm): HostPatch {
  const start = formOf(before);
  const patch: HostPatch = {};
  if (form.name.trim() !== start.name) patch.name = form.name.trim();
  if (form.alwaysOn !== start.alwaysOn) patch.always_on = form.alwaysOn;
  const { labels } = parseLabels(form.labels);
  if (labels) {
    const changes = labelChanges(before.labels, labels);
    if (Object.keys(changes).length > 0) patch.labels = changes;
  }
  const orNull = (value: number | "") => (value === "" ? null : value);
  if (form.maxRunning !== start.maxRunning) patch.max_running = orNull(form.maxRunning);
  if (form.perMinute !== start.perMinute) patch.jobs_per_minute = orNull(form.perMinute);
  if (form.offlineAfter !== start.offlineAfter) patch.offline_after_seconds = orNull(form.offlineAfter);
  if (form.alertAfter !== start.alertAfter) patch.alert_after_seconds = orNull(form.alertAfter);
  return patch;
}
