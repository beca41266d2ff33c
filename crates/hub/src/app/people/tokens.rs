//! API tokens. Users manage their own; admins see and revoke all tokens of their organization.

use domain::{
    Actor, OrgId, Role, Span, Timestamp, TokenId, UserId, name,
    role::Scope,
    secret::{Secret, SecretKind},
};
use proto::{
    Code, Page,
    api::person::{Token as TokenView, TokenCreated, TokenRequest},
    page::PageQuery,
};
use serde_json::json;
use store::{Tx, token::Token, worker_token::WorkerToken};

use crate::app::{AuditEntry, FromStore as _, RequestContext, after_id};
use crate::{Error, Hub, Result};

/// Default lifetime of a token.
const TTL: Span = Span::from_secs(90 * 86_400);
/// Most queues, and most definitions, of a worker token.
const NAMES_MAX: usize = 100;

impl Hub {
    /// Lists the caller's tokens in an organization; for admins, all its tokens.
    ///
    /// # Errors
    /// Fails if the cursor is invalid or on a database error.
    pub async fn token_list(&self, by: &RequestContext, org: OrgId, query: &PageQuery) -> Result<Page<TokenView>> {
        let (after, limit) = (after_id(query.cursor.as_deref())?, query.limit());
        let of = if sees_all(by) { None } else { Some(by.caller.actor.user().unwrap_or(UserId::from_bytes([0; 16]))) };
        let rows = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let rows = tx.token_list(org, of, after, limit + 1).await?;
                    let workers: Vec<TokenId> =
                        rows.iter().filter(|token| token.scope == Scope::Worker).map(|token| token.id).collect();
                    let bound = if workers.is_empty() { Vec::new() } else { tx.worker_tokens(&workers).await? };
                    Ok::<_, Error>((rows, bound))
                })
            })
            .await?;
        let (rows, bound) = rows;
        let view = |token: Token| {
            let own = bound.iter().find(|bound| bound.token_id == token.id);
            shown(token, own)
        };
        Ok(Page::cut(rows.into_iter().map(view).collect(), limit, |token| token.id.to_string()))
    }

    /// Creates a token, with at most the caller's own role. Only admins create worker tokens.
    ///
    /// # Errors
    /// Fails if the role is above the caller's, the name is invalid, a worker token names no queue, or the caller is a
    /// token without the right to create tokens.
    pub async fn token_create(&self, by: &RequestContext, org: OrgId, request: TokenRequest) -> Result<TokenCreated> {
        let own = by.caller.role.unwrap_or(Role::Viewer);
        let scope = request.scope.unwrap_or(Scope::Api);
        // The role of a worker token has no effect besides: its scope allows only the worker API.
        let role = request.role.unwrap_or(if scope == Scope::Worker { own.min(Role::Operator) } else { own });
        if role > own {
            return Err(Error::new(Code::Forbidden, format!("the role {role} is above your own role, {own}")));
        }
        let name = request.name.trim().to_owned();
        if name.is_empty() || name.chars().count() > 120 {
            return Err(Error::invalid("`name` must have 1 to 120 characters"));
        }
        let limits = self.worker_limits(org, own, scope, &request).await?;
        // On the hub's own machine the caller is no user; the token then belongs to the owner.
        let user = match by.caller.actor.user() {
            Some(user) => user,
            None => self.owner().await?,
        };
        let parent = if let Actor::Token { id, .. } = by.caller.actor { Some(id) } else { None };
        let now = self.now();
        let ttl = request.ttl_seconds.map_or(TTL, Span::from_secs);
        let secret = Secret::new(SecretKind::Token, self.random.bytes(), &[]);
        let new = Token {
            id: self.ids.next(),
            org_id: org,
            user_id: user,
            name,
            hint: secret.hint(),
            role,
            scope,
            is_login: false,
            may_create_tokens: request.may_create_tokens,
            created_by: by.caller.actor.label(),
            expires_at: (ttl > Span::ZERO).then(|| now + ttl),
            parent_id: parent,
            revoked_at: None,
            last_used_at: None,
            created_at: now,
        };
        let limits = limits.map(|(queues, definitions)| WorkerToken { token_id: new.id, queues, definitions });
        let (hub, by, hash, bound) = (self.clone(), by.clone(), secret.hash(), limits.clone());
        let token = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let mut row = new;
                    if let Some(parent) = parent {
                        row.expires_at = ends(&creator(tx, org, parent).await?, row.expires_at);
                    }
                    tx.token_insert(&row, hash).await?;
                    let mut diff = json!({"role": [null, row.role], "scope": [null, row.scope], "expires_at": [null, row.expires_at]});
                    if let Some(bound) = &bound {
                        tx.worker_token_put(bound, now).await?;
                        diff["queues"] = json!([null, bound.queues]);
                        diff["definitions"] = json!([null, bound.definitions]);
                    }
                    if row.may_create_tokens {
                        diff["may_create_tokens"] = json!([null, true]);
                    }
                    let (id, name) = (Some(row.id.to_string()), Some(row.name.as_str()));
                    by.record(&hub, tx, Some(org), AuditEntry { action: "token.created", kind: "token", id, name, diff }).await?;
                    Ok::<_, Error>(row)
                })
            })
            .await?;
        Ok(TokenCreated { token: shown(token, limits.as_ref()), secret: secret.reveal().to_owned() })
    }

    /// The queues and definitions of a new worker token; `None` for other scopes.
    async fn worker_limits(
        &self,
        org: OrgId,
        own: Role,
        scope: Scope,
        request: &TokenRequest,
    ) -> Result<Option<(Vec<String>, Option<Vec<String>>)>> {
        if scope != Scope::Worker {
            return if request.queues.is_empty() && request.definitions.is_none() {
                Ok(None)
            } else {
                Err(Error::invalid("`queues` and `definitions` are only for the scope `worker`"))
            };
        }
        if own < Role::Admin {
            let detail = "only admins create tokens with the scope `worker`, because claims contain secrets";
            return Err(Error::new(Code::Forbidden, detail).hint("ask an admin of the org"));
        }
        if request.queues.is_empty() {
            return Err(Error::invalid("a worker token needs the queues that it may claim from")
                .hint("hostler token create NAME --scope worker --queue default"));
        }
        let names = request.definitions.iter().flatten();
        if request.queues.len() > NAMES_MAX || names.clone().count() > NAMES_MAX {
            return Err(Error::invalid(format!("a token names at most {NAMES_MAX} queues and definitions")));
        }
        for queue in &request.queues {
            name::check(queue)?;
        }
        let slug = self.org_slug(org).await?;
        for key in names {
            self.definition_for(&slug, key).await?;
        }
        Ok(Some((request.queues.clone(), request.definitions.clone())))
    }

    /// Revokes a token with all tokens it created, and closes their live sockets.
    ///
    /// # Errors
    /// Fails if the token does not exist or belongs to another user.
    pub async fn token_revoke(&self, by: &RequestContext, org: OrgId, id: TokenId) -> Result<()> {
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let token = tx
                        .token_get(org, id)
                        .await?
                        .filter(|token| sees_all(&by) || Some(token.user_id) == by.caller.actor.user());
                    let token = token.ok_or_else(|| Error::not_found("token", id))?;
                    let revoked = tx.token_revoke(org, id, now).await?;
                    let diff = if revoked > 1 { json!({"revoked_tokens": [null, revoked]}) } else { json!({}) };
                    by.record(
                        &hub,
                        tx,
                        Some(org),
                        AuditEntry {
                            action: "token.revoked",
                            kind: "token",
                            id: Some(id.to_string()),
                            name: Some(&token.name),
                            diff,
                        },
                    )
                    .await
                })
            })
            .await?;
        self.wakes.socket_revoker.wake();
        Ok(())
    }
}

fn shown(token: Token, bound: Option<&WorkerToken>) -> TokenView {
    let view = TokenView::from_store(token);
    match bound.cloned() {
        Some(WorkerToken { queues, definitions, .. }) => TokenView { queues, definitions, ..view },
        None => view,
    }
}

/// The token that creates another one, locked until that one is inserted: a token that is revoked at the same time
/// leaves no valid one behind.
async fn creator(tx: &mut Tx<'_>, org: OrgId, id: TokenId) -> Result<Token> {
    let refuse = |detail: &str| Error::new(Code::Forbidden, detail);
    let found = tx.token_lock(org, id).await?;
    let found = found.ok_or_else(|| refuse("a token can create tokens only for its own organization"))?;
    if found.may_create_tokens {
        return Ok(found);
    }
    Err(refuse("this token cannot create tokens")
        .hint("use a login (`hostler login`), or a token created with `hostler token create --may-create-tokens`"))
}

/// When a token expires: as requested, but not after the token that creates it.
fn ends(parent: &Token, wished: Option<Timestamp>) -> Option<Timestamp> {
    match (parent.expires_at, wished) {
        (Some(most), Some(wished)) => Some(most.min(wished)),
        (Some(most), None) => Some(most),
        (None, wished) => wished,
    }
}

fn sees_all(by: &RequestContext) -> bool {
    by.caller.role >= Some(Role::Admin)
}
