import type { Alert, Notice } from "../api/model";

/** Result of the latest notification about an alert on one channel. */
export interface Delivery {
  channel: string;
  status: Notice["status"];
  tries: number;
  error: string | undefined;
}

/**
 * Latest notification about an alert per channel. Notices have no alert ID, so a notice counts if it has the same
 * kind, is not older than the alert, and names the subject in its title or text.
 */
export function latestDeliveries(alert: Alert, notices: Notice[]): Delivery[] {
  const found = new Map<string, Delivery>();
  for (const notice of notices) {
    const isForAlert =
      notice.kind === alert.kind &&
      notice.created_at >= alert.created_at &&
      (notice.title.endsWith(`: ${alert.subject_name}`) ||
        notice.text.split(/[\s,]+/).includes(alert.subject_name));
    // Notices are sorted newest first.
    if (!isForAlert || found.has(notice.channel)) continue;
    const { channel, status, tries, last_error } = notice;
    found.set(channel, { channel, status, tries, error: last_error ?? undefined });
  }
  return [...found.values()];
}
