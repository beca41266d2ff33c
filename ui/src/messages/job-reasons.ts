/** Why a job waits, and why it is over. */
export const jobReasonText = {
  reasons: {
    later: "scheduled for later",
    retry_backoff: "waits before it is tried again",
    host_offline: "its host is offline",
    host_asleep: "its host is asleep; it runs on return",
    host_paused: "its host is paused",
    at_limit: "as many run as may",
    rate_limit: "as many began this minute as may",
    org_limit: "the org runs as many as it may",
    definition_disabled: "its definition is switched off",
    secret_missing: "a secret it needs is not set",
    paused: "paused",
    no_host_matches: "no host matches",
    held: "held until its host is back",
    not_home: "its host works for another hub",
    runner_too_old: "the runner is too old for it",
  } as Record<string, string>,
  ends: {
    asked: "canceled by a person",
    expired: "expired before it began",
    superseded: "a later wish made it pointless",
    host_lost: "its host was lost too often",
    host_removed: "its host was removed",
    forced: "canceled by force while its holder was away",
  } as Record<string, string>,
};
