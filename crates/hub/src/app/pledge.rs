//! Callers whose token was remembered instead of asked for: what they want is written only if their token still allows it, and
//! they hear nothing before that is known.
//!
//! A token that is revoked is refused at once, on every hub; so nobody may rely on what is remembered of it. But a question
//! before each request is a round trip, and for a request that makes one job half of its time. Such a request takes the question
//! along: where it is written, it is made sure of in the same statement.

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

use super::must;
use crate::{Error, Hub, Result};

/// Refuses a token that is no longer in force, or whose person is not welcome any more.
pub(crate) fn in_force(token: &TokenAuth, now: Timestamp) -> Result<()> {
    if let Some(at) = token.revoked_at {
        return Err(Error::new(Code::TokenRevoked, format!("this token was revoked at {at}"))
            .hint("sign in again: hostler login"));
    }
    if let Some(at) = token.expires_at.filter(|at| *at <= now) {
        return Err(Error::new(Code::TokenExpired, format!("this token expired {} ago", now.since(at)))
            .hint("sign in again: hostler login"));
    }
    if token.user_is_disabled || (token.member_role.is_none() && !token.user_is_super) {
        return Err(Error::new(Code::TokenRevoked, "the person who made this token may no longer sign in here"));
    }
    Ok(())
}

/// What a token may do in an org, or `None` if the org is none of its business.
pub(crate) fn role_in(token: &TokenAuth, org: OrgId) -> Option<Role> {
    let most = if token.user_is_super { Some(Role::SuperAdmin) } else { token.member_role };
    let role = most.map(|most| most.min(token.role));
    // A token is for one org; only one of a super admin's, made as such, reaches the others.
    role.filter(|role| token.org_id == org || *role == Role::SuperAdmin)
}

/// Nobody knows this token.
pub(crate) fn unknown() -> Error {
    Error::new(Code::TokenInvalid, "this hub does not know this token")
        .hint("make one with `hostler token create`, or sign in: hostler login")
}

/// That a remembered token still allows what its caller is about to do.
#[derive(Clone)]
pub struct Pledge {
    token: Arc<TokenAuth>,
    org: OrgId,
    permission: Permission,
    is_kept: Arc<AtomicBool>,
}

impl Pledge {
    /// What is yet to be made sure of.
    pub(crate) fn new(token: Arc<TokenAuth>, org: OrgId, permission: Permission) -> Self {
        Self { token, org, permission, is_kept: Arc::default() }
    }

    /// It was made sure of.
    pub(crate) fn keep(&self) {
        self.is_kept.store(true, Ordering::Release);
    }

    /// Whether it was made sure of.
    pub(crate) fn is_kept(&self) -> bool {
        self.is_kept.load(Ordering::Acquire)
    }

    /// Asks, unless it was made sure of.
    ///
    /// # Errors
    /// The token does not allow it any more, or the database does not answer.
    pub(crate) async fn make_sure(&self, hub: &Hub) -> Result<()> {
        if self.is_kept() {
            return Ok(());
        }
        let found = hub.tokens_asked.ask(self.token.secret_hash.clone()).await?;
        compare(hub, &self.token, found.as_ref());
        self.stands(found.as_ref(), hub.now())?;
        self.keep();
        Ok(())
    }

    /// Whether the token, as it is now, allows it.
    fn stands(&self, found: Option<&TokenAuth>, now: Timestamp) -> Result<()> {
        let found = found.ok_or_else(unknown)?;
        in_force(found, now)?;
        let actor = Actor::Token { id: found.id, user: found.user_id, name: found.name.clone() };
        let role = role_in(found, self.org).ok_or_else(|| Error::not_found("org", "of yours"))?;
        let caller = Caller { actor, org: Some(self.org), role: Some(role), scope: found.scope };
        must(&caller, self.permission)
    }
}

/// What of a token may change.
fn rights(token: &TokenAuth) -> impl PartialEq + use<> {
    (token.revoked_at, token.user_is_super, token.user_is_disabled, token.member_role)
}

/// Forgets what is remembered of a token if it is not so.
fn compare(hub: &Hub, remembered: &TokenAuth, found: Option<&TokenAuth>) {
    if found.map(rights) != Some(rights(remembered)) {
        hub.tokens_asked.forget(&remembered.secret_hash);
    }
}

/// The tokens of some requests that are written together.
pub(crate) struct Tokens(Option<HashMap<SecretHash, TokenAuth>>);

impl Tokens {
    /// Looks them up; where nothing is asked, what is remembered must hold, or nothing is written.
    pub(crate) async fn of(hub: &Hub, tx: &mut Tx<'_>, pledges: impl Iterator<Item = &Pledge>) -> Result<Self> {
        let mut tokens: Vec<&TokenAuth> = Vec::new();
        for pledge in pledges.filter(|pledge| !pledge.is_kept()) {
            // Whoever was remembered with other rights is not vouched for by these: named twice, it is stale_view.
            if tokens.iter().all(|known| (known.id, rights(known)) != (pledge.token.id, rights(&pledge.token))) {
                tokens.push(&pledge.token);
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

    /// Refuses a request whose token does not allow it any more, as far as that was asked.
    pub(crate) fn stand(&self, pledge: &Pledge, now: Timestamp) -> Result<()> {
        match &self.0 {
            Some(found) if !pledge.is_kept() => pledge.stands(found.get(&pledge.token.secret_hash), now),
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
        app::{By, jobs::Maker},
        queue::pool::{Pool, local},
    };

    /// Somebody of the org with a token: the hash of its secret.
    async fn token(pool: &Pool) -> (domain::TokenId, SecretHash) {
        let users = pool.hub.user_list(&proto::page::PageQuery { cursor: None, limit: Some(1) }).await.expect("lists");
        let user = users.items[0].id;
        let actor = Actor::User { id: user, name: "ana".to_owned() };
        let caller = Caller { actor, org: Some(pool.acme), role: Some(Role::SuperAdmin), scope: Scope::Api };
        let by = By { caller, address: "test".to_owned(), request_id: String::new() };
        let wanted: TokenRequest = serde_json::from_value(json!({"name": "t"})).expect("a request");
        let made = pool.hub.token_create(&by, pool.acme, wanted).await.expect("makes");
        let secret = domain::secret::Secret::parse(domain::secret::SecretKind::Token, &made.secret).expect("a secret");
        (made.token.id, secret.hash())
    }

    /// A request for one job by whoever has this token.
    fn asks(pool: &Pool, token: &Arc<TokenAuth>) -> (Maker, JobRequest, Pledge) {
        let pledge = Pledge::new(token.clone(), pool.acme, Permission::JobRun);
        let maker = Maker { pledge: Some(pledge.clone()), ..Maker::new(local(), pool.acme) };
        (maker, serde_json::from_value(json!({"definition_key": "hello"})).expect("a request"), pledge)
    }

    testkit::db_test!(what_is_written_makes_sure_of_the_token, |db| async move {
        let pool = Pool::new(db, 1).await;
        let (id, hash) = token(&pool).await;
        assert!(pool.hub.tokens_asked.recall(&hash, pool.hub.now()).is_none(), "nobody has shown it");
        let shown = pool.hub.token_shown(hash.clone()).await.expect("is in force");
        assert_eq!(pool.hub.tokens_asked.recall(&hash, pool.hub.now()), Some(shown.clone()));
        for fields in [json!({}), json!({"dedupe_key": "k"}), json!({})] {
            // The first of a kind needs a lane, which is made with locks, and so are others for a moment.
            pool.clock.advance(domain::Span::from_secs(2));
            let (maker, request, pledge) = asks(&pool, &shown);
            let key = fields["dedupe_key"].as_str().map(str::to_owned);
            let request = JobRequest { dedupe_key: key, ..request };
            assert!(!pledge.is_kept());
            pool.hub.job_create(&maker, request).await.expect("makes");
            assert!(pledge.is_kept(), "with the job: {fields}");
        }
        // What fails before it is written leaves it open.
        let (maker, request, pledge) = asks(&pool, &shown);
        let wrong = JobRequest { definition_key: "nothing".to_owned(), ..request };
        assert!(pool.hub.job_create(&maker, wrong).await.is_err() && !pledge.is_kept());
        pledge.make_sure(&pool.hub).await.expect("still is in force");
        pool.hub.token_revoke(&local(), pool.acme, id).await.expect("revokes");
        assert!(pool.hub.tokens_asked.recall(&hash, pool.hub.now()).is_some(), "other hubs are not told");
        let (maker, request, pledge) = asks(&pool, &shown);
        assert!(pool.hub.queue.boldness.is_optimistic(pool.hub.now()), "it is not looked at");
        let refused = pool.hub.job_create(&maker, request).await.expect_err("is revoked");
        assert_eq!((refused.code(), pledge.is_kept()), (Code::TokenRevoked, false));
        assert!(pool.hub.tokens_asked.recall(&hash, pool.hub.now()).is_none(), "and forgotten");
        assert!(pool.hub.queue.boldness.is_optimistic(pool.hub.now()), "which is nothing to others");
        assert_eq!(pledge.make_sure(&pool.hub).await.expect_err("is revoked").code(), Code::TokenRevoked);
        assert_eq!(pool.hub.job_summary(pool.acme).await.expect("counts").queued, 3);
    });

    testkit::db_test!(a_broken_pledge_does_not_hold_up_who_is_written_with_it, |db| async move {
        let pool = Pool::new(db, 1).await;
        let (id, hash) = token(&pool).await;
        let (_, other) = token(&pool).await;
        let (shown, other) = (pool.hub.token_shown(hash).await, pool.hub.token_shown(other).await);
        let (shown, other) = (shown.expect("is in force"), other.expect("is in force"));
        pool.hub.token_revoke(&local(), pool.acme, id).await.expect("revokes");
        let wishes = [&shown, &other, &shown].map(|token| asks(&pool, token));
        let made = wishes.iter().map(|(maker, request, _)| pool.hub.job_create(maker, request.clone()));
        let made: Vec<bool> = futures_util::future::join_all(made).await.iter().map(Result::is_ok).collect();
        assert_eq!(made, [false, true, false]);
        let kept: Vec<bool> = wishes.iter().map(|(_, _, pledge)| pledge.is_kept()).collect();
        assert_eq!(kept, [false, true, false]);
    });
}
