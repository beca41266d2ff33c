/** Why a job waits, and why it was canceled or failed. */
export const jobReasonText = {
  reasons: {
    later: "scheduled for later",
    retry_backoff: "waiting for the next retry",
    host_offline: "host offline",
    host_asleep: "host asleep; the job runs when it reconnects",
    host_paused: "host paused",
    at_limit: "concurrency limit reached",
    rate_limit: "rate limit reached",
    org_limit: "organization limit reached",
    definition_disabled: "definition disabled",
    secret_missing: "a required secret is not set",
    paused: "paused",
    no_host_matches: "no host matches",
    held: "held until the host reconnects",
    not_primary: "the host has another primary hub",
    runner_too_old: "the runner version is too old",
  } as Record<string, string>,
  ends: {
    asked: "canceled by a user",
    expired: "expired before it started",
    superseded: "replaced by a newer request",
    host_lost: "the host was lost too many times",
    host_removed: "the host was removed",
    forced: "canceled by force while its host was offline",
  } as Record<string, string>,
};
