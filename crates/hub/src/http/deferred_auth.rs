//! Deferred authorization: a request whose token came from the cache is written only if the token is still valid, which
//! the same transaction checks. The caller gets no answer before.
//!
//! A revoked token must be rejected immediately, on every hub, so the cache alone is not enough. But a query per
//! request costs a round trip, half the time of a request that creates one job. So the check is part of the statement
//! that writes the job.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use domain::{Actor, Caller, OrgId, Permission, Role, Timestamp, secret::SecretHash};
use proto::Code;
use store::{Tx, token::TokenAuth};

use crate::app::must;
use crate::{Error, Hub, Result};

/// Rejects a token that is revoked or expired, or whose user is disabled or no longer a member.
pub(crate) fn in_force(token: &TokenAuth, now: Timestamp) -> Result<()> {
    if let Some(at) = token.revoked_at {
        return Err(Error::new(Code::TokenRevoked, format!("the token was revoked at {at:.0}"))
            .hint("sign in again: hostler login"));
    }
    if let Some(at) = token.expires_at.filter(|at| *at <= now) {
        return Err(Error::new(Code::TokenExpired, format!("the token expired {} ago", now.since(at)))
            .hint("sign in again: hostler login"));
    }
    if token.user_is_disabled || (token.member_role.is_none() && !token.user_is_super) {
        return Err(Error::new(
            Code::TokenRevoked,
            "the user who created this token is disabled or no longer a member",
        ));
    }
    Ok(())
}

/// The role of a token in an organization, or `None` if the token is not valid there.
pub(crate) fn role_in(token: &TokenAuth, org: OrgId) -> Option<Role> {
    let most = if token.user_is_super { Some(Role::SuperAdmin) } else { token.member_role };
    let role = most.map(|most| most.min(token.role));
    // A token is valid in its own organization. Only a super admin's token with that role is valid in all.
    role.filter(|role| token.org_id == org || *role == Role::SuperAdmin)
}

/// The error for an unknown token.
pub(crate) fn unknown() -> Error {
    Error::new(Code::TokenInvalid, "the token is unknown to this hub")
        .hint("create one with `hostler token create`, or sign in: hostler login")
}

/// A token check that is still to be made, for one permission in one organization.
#[derive(Clone)]
pub struct DeferredAuth {
    token: Arc<TokenAuth>,
    org: OrgId,
    permission: Permission,
    is_confirmed: Arc<AtomicBool>,
}

impl DeferredAuth {
    /// A check for a token that came from the cache.
    pub(crate) fn new(token: Arc<TokenAuth>, org: OrgId, permission: Permission) -> Self {
        Self { token, org, permission, is_confirmed: Arc::default() }
    }

    /// Marks the check as passed.
    pub(crate) fn mark_confirmed(&self) {
        self.is_confirmed.store(true, Ordering::Release);
    }

    /// Whether the check has passed.
    pub(crate) fn is_confirmed(&self) -> bool {
        self.is_confirmed.load(Ordering::Acquire)
    }

    /// Runs the check now, unless it has passed.
    ///
    /// # Errors
    /// Fails if the token no longer allows the action, or on a database error.
    pub(crate) async fn confirm(&self, hub: &Hub) -> Result<()> {
        if self.is_confirmed() {
            return Ok(());
        }
        let found = hub.token_lookup.ask(self.token.secret_hash.clone()).await?;
        compare(hub, &self.token, found.as_ref());
        self.check(found.as_ref(), hub.now())?;
        self.mark_confirmed();
        Ok(())
    }

    /// Whether the stored token still allows the action.
    fn check(&self, found: Option<&TokenAuth>, now: Timestamp) -> Result<()> {
        let found = found.ok_or_else(unknown)?;
        in_force(found, now)?;
        let actor = Actor::Token { id: found.id, user: found.user_id, name: found.name.clone() };
        let role = role_in(found, self.org).ok_or_else(|| Error::not_found("org", self.org))?;
        let caller = Caller { actor, org: Some(self.org), role: Some(role), scope: found.scope };
        must(&caller, self.permission)
    }
}

/// The fields of a token that can change.
fn rights(token: &TokenAuth) -> impl PartialEq + use<> {
    (token.revoked_at, token.user_is_super, token.user_is_disabled, token.member_role)
}

/// Removes a token from the cache if the stored one differs.
fn compare(hub: &Hub, remembered: &TokenAuth, found: Option<&TokenAuth>) {
    if found.map(rights) != Some(rights(remembered)) {
        hub.token_lookup.forget(&remembered.secret_hash);
    }
}

/// Stored tokens of requests that are written together. `None` if a guard in an optimistic write checks them.
pub(crate) struct Tokens(Option<HashMap<SecretHash, TokenAuth>>);

impl Tokens {
    /// Reads the tokens. An optimistic write adds a guard instead: if a cached token is stale, nothing is written.
    pub(crate) async fn of(hub: &Hub, tx: &mut Tx<'_>, deferred: impl Iterator<Item = &DeferredAuth>) -> Result<Self> {
        let mut tokens: Vec<&TokenAuth> = Vec::new();
        for deferred_auth in deferred.filter(|deferred_auth| !deferred_auth.is_confirmed()) {
            // The cache can have changed between two requests. A token cached in two versions gets two guards, and the
            // stale one makes the write fail.
            if tokens
                .iter()
                .all(|known| (known.id, rights(known)) != (deferred_auth.token.id, rights(&deferred_auth.token)))
            {
                tokens.push(&deferred_auth.token);
            }
        }
        if tokens.is_empty() {
            return Ok(Self(None));
        }
        if tx.is_optimistic() {
            tx.tokens_guard(&tokens)?;
            return Ok(Self(None));
        }
        let secrets: Vec<SecretHash> = tokens.iter().map(|token| token.secret_hash.clone()).collect();
        let found: HashMap<SecretHash, TokenAuth> = tx.token_auth(&secrets).await?.into_iter().collect();
        tokens.iter().for_each(|token| compare(hub, token, found.get(&token.secret_hash)));
        Ok(Self(Some(found)))
    }

    /// Rejects a request whose stored token no longer allows it. Does nothing if a guard checks the tokens.
    pub(crate) fn check(&self, deferred_auth: &DeferredAuth, now: Timestamp) -> Result<()> {
        match &self.0 {
            Some(found) if !deferred_auth.is_confirmed() => {
                deferred_auth.check(found.get(&deferred_auth.token.secret_hash), now)
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::role::Scope;
    use proto::api::{job::JobRequest, person::TokenRequest};
    use serde_json::json;

    use super::*;
    use crate::{
        app::{RequestContext, jobs::Maker},
        queue::test_support::{TestQueue, local},
    };

    /// Creates a token for a super admin. Returns its id and hash.
    async fn token(fixture: &TestQueue) -> (domain::TokenId, SecretHash) {
        let users =
            fixture.hub.user_list(&proto::page::PageQuery { cursor: None, limit: Some(1) }).await.expect("lists");
        let user = users.items[0].id;
        let actor = Actor::User { id: user, name: "ana".to_owned() };
        let caller = Caller { actor, org: Some(fixture.acme), role: Some(Role::SuperAdmin), scope: Scope::Api };
        let by = RequestContext { caller, address: "test".to_owned(), request_id: String::new() };
        let wanted: TokenRequest = serde_json::from_value(json!({"name": "t"})).expect("a request");
        let made = fixture.hub.token_create(&by, fixture.acme, wanted).await.expect("makes");
        let secret = domain::secret::Secret::parse(domain::secret::SecretKind::Token, &made.secret).expect("a secret");
        (made.token.id, secret.hash())
    }

    /// A request for one job with this token.
    fn job_request(fixture: &TestQueue, token: &Arc<TokenAuth>) -> (Maker, JobRequest, DeferredAuth) {
        let deferred_auth = DeferredAuth::new(token.clone(), fixture.acme, Permission::JobRun);
        let maker = Maker { deferred_auth: Some(deferred_auth.clone()), ..Maker::new(local(), fixture.acme) };
        (maker, serde_json::from_value(json!({"definition_key": "hello"})).expect("a request"), deferred_auth)
    }

    testkit::db_test!(token_is_checked_in_the_write_of_the_job, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let (id, hash) = token(&fixture).await;
        assert!(fixture.hub.token_lookup.cached(&hash, fixture.hub.now()).is_none(), "the token has not been used");
        let shown = fixture.hub.authenticate(hash.clone()).await.expect("the token is valid");
        assert_eq!(fixture.hub.token_lookup.cached(&hash, fixture.hub.now()), Some(shown.clone()));
        for fields in [json!({}), json!({"dedupe_key": "k"}), json!({})] {
            // The first job of a lane takes the locked path to create the lane, and so do others for a moment.
            fixture.clock.advance(domain::Span::from_secs(2));
            let (maker, request, deferred_auth) = job_request(&fixture, &shown);
            let key = fields["dedupe_key"].as_str().map(str::to_owned);
            let request = JobRequest { dedupe_key: key, ..request };
            assert!(!deferred_auth.is_confirmed());
            fixture.hub.job_create(&maker, request).await.expect("makes");
            assert!(deferred_auth.is_confirmed(), "checked with the job: {fields}");
        }
        // A request that fails before its write leaves the token unchecked.
        let (maker, request, deferred_auth) = job_request(&fixture, &shown);
        let wrong = JobRequest { definition_key: "nothing".to_owned(), ..request };
        assert!(fixture.hub.job_create(&maker, wrong).await.is_err() && !deferred_auth.is_confirmed());
        deferred_auth.confirm(&fixture.hub).await.expect("the token is still valid");
        fixture.hub.token_revoke(&local(), fixture.acme, id).await.expect("revokes");
        assert!(
            fixture.hub.token_lookup.cached(&hash, fixture.hub.now()).is_some(),
            "a revocation leaves the caches alone"
        );
        let (maker, request, deferred_auth) = job_request(&fixture, &shown);
        assert!(fixture.hub.queue.boldness.is_optimistic(fixture.hub.now()), "the next write is optimistic");
        let refused = fixture.hub.job_create(&maker, request).await.expect_err("the token is revoked");
        assert_eq!((refused.code(), deferred_auth.is_confirmed()), (Code::TokenRevoked, false));
        assert!(fixture.hub.token_lookup.cached(&hash, fixture.hub.now()).is_none(), "the stale entry left the cache");
        assert!(
            fixture.hub.queue.boldness.is_optimistic(fixture.hub.now()),
            "a revoked token does not end optimistic writes"
        );
        assert_eq!(
            deferred_auth.confirm(&fixture.hub).await.expect_err("the token is revoked").code(),
            Code::TokenRevoked
        );
        assert_eq!(fixture.hub.job_summary(fixture.acme).await.expect("counts").queued, 3);
    });

    testkit::db_test!(revoked_token_fails_only_its_own_request, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let (id, hash) = token(&fixture).await;
        let (_, other) = token(&fixture).await;
        let (shown, other) = (fixture.hub.authenticate(hash).await, fixture.hub.authenticate(other).await);
        let (shown, other) = (shown.expect("the token is valid"), other.expect("the token is valid"));
        fixture.hub.token_revoke(&local(), fixture.acme, id).await.expect("revokes");
        let requests = [&shown, &other, &shown].map(|token| job_request(&fixture, token));
        let made = requests.iter().map(|(maker, request, _)| fixture.hub.job_create(maker, request.clone()));
        let made: Vec<bool> = futures_util::future::join_all(made).await.iter().map(Result::is_ok).collect();
        assert_eq!(made, [false, true, false]);
        let confirmed: Vec<bool> = requests.iter().map(|(_, _, deferred_auth)| deferred_auth.is_confirmed()).collect();
        assert_eq!(confirmed, [false, true, false]);
    });
}
