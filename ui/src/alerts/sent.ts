import type { Alert, Notice } from "../api/model";

/** How the last word about an alert reached one channel. */
export interface Sent {
  channel: string;
  status: Notice["status"];
  tries: number;
  error: string | undefined;
}

/**
 * What became of the notices about an alert, one per channel. A notice does not name its alerts: it is about this one
 * if it is of its kind, younger, and names its subject.
 */
export function sentTo(alert: Alert, notices: Notice[]): Sent[] {
  const found = new Map<string, Sent>();
  for (const notice of notices) {
    const isAbout =
      notice.kind === alert.kind &&
      notice.created_at >= alert.created_at &&
      (notice.title.endsWith(`: ${alert.subject_name}`) ||
        notice.text.split(/[\s,]+/).includes(alert.subject_name));
    // The newest stand first.
    if (!isAbout || found.has(notice.channel)) continue;
    const { channel, status, tries, last_error } = notice;
    found.set(channel, { channel, status, tries, error: last_error ?? undefined });
  }
  return [...found.values()];
}
