/** Filter of the audit log in the URL. */
export interface AuditFilter {
  actor?: string;
  action?: string;
  since?: string;
}

const SPANS: Record<string, number> = { "1h": 3600, "24h": 86_400, "7d": 604_800, "30d": 2_592_000 };

export function readAuditFilter(search: Record<string, unknown>): AuditFilter {
  const filter: AuditFilter = {};
  if (typeof search.actor === "string" && search.actor.trim()) filter.actor = search.actor.trim();
  if (typeof search.action === "string" && search.action.trim()) filter.action = search.action.trim();
  if (typeof search.since === "string" && search.since in SPANS) filter.since = search.since;
  return filter;
}

/** Start of a span such as "24h", rounded to the minute, so that all pages of one list use the same start. */
export function sinceInstant(span: string | undefined, now: number): string | undefined {
  const seconds = span ? SPANS[span] : undefined;
  if (!seconds) return undefined;
  const at = now - seconds * 1000;
  return new Date(at - (at % 60_000)).toISOString();
}
