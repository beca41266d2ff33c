//! Authentication and authorization of requests, once per request and before the handler.
//!
//! A caller is identified by a token, a runner session, a browser cookie, or the local socket. A credential that is
//! present and invalid is an error; it never falls back to an anonymous caller.

use axum::{
    extract::{FromRequestParts as _, MatchedPath, RawPathParams, Request},
    http::{HeaderMap, Method, header, request::Parts},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use domain::{
    Actor, Caller, HostId, OrgId, Role, SessionId, Span,
    role::Scope,
    secret::{Secret, SecretKind},
};
use proto::Code;
use serde_json::json;
use store::{sign_in::BrowserSession, socket_credential::SocketCredential, token::TokenAuth};

use crate::http::{
    Access, allowed_host,
    cookies::cookie,
    extract::Ctx,
    idempotency::{self, Repeats},
    request_meta::{FORWARDED, RequestMeta},
};
use crate::{
    Error, Hub, Peer, Result,
    app::{
        RequestContext,
        people::{sign_in::SESSION_IDLE, token_lookup, verified::audit_name},
        repeated_audit::RepeatedEntry,
    },
    error::LoggedProblem,
};

/// Minimum interval between two writes of a session's `last_seen_at`.
const SEEN_EVERY: Span = Span::from_secs(60);

/// Method, route and path of a request, for the audit log.
struct Asked {
    method: Method,
    route: String,
    path: String,
}

impl Asked {
    fn of(parts: &Parts) -> Self {
        let route = parts.extensions.get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
        Self { method: parts.method.clone(), route, path: parts.uri.path().to_owned() }
    }
}

/// A caller, identified by a credential.
enum Identified {
    Nobody,
    Local { uid: u32 },
    Browser(BrowserSession),
    Token(TokenAuth),
    Runner { host: HostId, org: OrgId, name: String },
}

/// Runs the handler if the caller is authorized; otherwise returns the error.
pub(super) async fn authorise(access: Access, repeats: Repeats, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let asked = Asked::of(&parts);
    match admit(access, &mut parts).await {
        Ok(cx) => {
            let (hub, by) = (cx.hub.clone(), cx.by.clone());
            parts.extensions.insert(cx);
            let response = idempotency::pass(repeats, Request::from_parts(parts, body), next).await;
            with_audit(&hub, &by, &[Code::Forbidden], &asked, response).await
        }
        Err(error) => {
            let identified = parts.extensions.remove::<RequestContext>();
            match (parts.extensions.get::<Hub>(), identified) {
                // `not_found`: the org in the path is another one, whether it exists or not.
                (Some(hub), Some(by)) => {
                    with_audit(hub, &by, &[Code::Forbidden, Code::NotFound], &asked, error.into_response()).await
                }
                _ => error.into_response(),
            }
        }
    }
}

/// Writes a refusal of an identified caller to the audit log, wherever it was decided. Unauthenticated requests are
/// counted per address instead.
async fn with_audit(hub: &Hub, by: &RequestContext, codes: &[Code], asked: &Asked, response: Response) -> Response {
    let code = response.extensions().get::<LoggedProblem>().map(|failed| failed.problem.code);
    let Some(code) = code.filter(|code| codes.contains(code)) else { return response };
    if by.caller.actor == Actor::Anonymous {
        return response;
    }
    let entry = RepeatedEntry {
        action: "request.refused",
        kind: "request",
        key: format!("{} {} {code}", asked.method, asked.route),
        name: None,
        detail: json!({"method": asked.method.as_str(), "path": asked.path, "code": code}),
    };
    match hub.record_repeated(by, by.caller.org, entry).await {
        Ok(()) => response,
        Err(error) => error.into_response(),
    }
}

async fn admit(access: Access, parts: &mut Parts) -> Result<Ctx> {
    let hub = parts
        .extensions
        .get::<Hub>()
        .cloned()
        .ok_or_else(|| Error::internal(anyhow::anyhow!("no hub in the request")))?;
    let seen = parts.extensions.get::<RequestMeta>().cloned().unwrap_or_default();
    let known = match access {
        // Credentials are ignored here: a stale cookie or token must not prevent signing in again.
        Access::Public | Access::Link => Identified::Nobody,
        _ => known(&hub, &parts.headers, &seen).await?,
    };
    if access == Access::Public {
        allowed_host::check(&hub.options, &seen, parts)?;
    }
    if let Some(by) = identified(&known, &seen) {
        parts.extensions.insert(by);
    }
    let (session, credential) = credentials_of(&known);
    let host = if let Identified::Runner { host, .. } = known { Some(host) } else { None };
    let needed = match access {
        Access::Org(permission) | Access::Installation(permission) => Some(permission),
        _ => None,
    };
    let caller = called(&hub, access, &known, parts).await?;
    let is_confidential = seen.is_confidential;
    let by = RequestContext::new(caller, seen.address, seen.request_id);
    if let Some(Err(refused)) = needed.map(|permission| by.must(permission)) {
        parts.extensions.insert(by);
        return Err(refused);
    }
    Ok(Ctx { hub, by, session, credential, host, is_confidential })
}

/// The caller before their role is known, for a refusal: its org is the credential's own.
fn identified(known: &Identified, seen: &RequestMeta) -> Option<RequestContext> {
    let org = match known {
        Identified::Token(token) => Some(token.org_id),
        Identified::Runner { org, .. } => Some(*org),
        _ => None,
    };
    let caller = Caller { actor: actor(known).ok()?, org, role: None, scope: scope(known) };
    Some(RequestContext::new(caller, seen.address.clone(), seen.request_id.clone()))
}

/// The caller with their role, as the route's access rule requires.
async fn called(hub: &Hub, access: Access, known: &Identified, parts: &mut Parts) -> Result<Caller> {
    match access {
        Access::Public | Access::Link => {
            Ok(Caller { actor: Actor::Anonymous, org: None, role: None, scope: Scope::Api })
        }
        Access::SignedIn | Access::Installation(_) => signed_in(hub, known).await,
        Access::Person => person(hub, known).await,
        Access::Runner => runner(known),
        Access::Org(_) => {
            let named = org_in_path(parts).await;
            in_org(hub, known, named.as_deref()).await
        }
    }
}

/// Identifies the caller by their credential. An invalid credential is an error.
async fn known(hub: &Hub, headers: &HeaderMap, seen: &RequestMeta) -> Result<Identified> {
    if let Some(bearer) = bearer(headers)? {
        if let Ok(secret) = Secret::parse(SecretKind::Runner, bearer) {
            return by_runner(hub, &secret).await;
        }
        return by_token(hub, bearer).await;
    }
    if let Some(cookie) = cookie(headers, seen.is_encrypted) {
        return by_cookie(hub, &cookie).await;
    }
    match seen.peer {
        // A forwarded request has the rights of its original caller, not those of the socket's owner.
        Peer::Local { uid } if !headers.contains_key(FORWARDED) => Ok(Identified::Local { uid }),
        _ => Ok(Identified::Nobody),
    }
}

fn bearer(headers: &HeaderMap) -> Result<Option<&str>> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let bearer = value.to_str().ok().and_then(|text| text.strip_prefix("Bearer "));
    bearer
        .map(|text| Some(text.trim()))
        .ok_or_else(|| Error::new(Code::TokenInvalid, "the Authorization header must be `Bearer hst_…`"))
}

async fn by_token(hub: &Hub, text: &str) -> Result<Identified> {
    let hash = Secret::parse(SecretKind::Token, text).map_err(|_| token_lookup::unknown())?.hash();
    Ok(Identified::Token(hub.authenticate(hash).await?))
}

async fn by_cookie(hub: &Hub, text: &str) -> Result<Identified> {
    let ended = || Error::new(Code::SessionEnded, "your session has ended").hint("sign in again");
    let hash = Secret::parse(SecretKind::Session, text).map_err(|_| ended())?.hash();
    let session = hub
        .store
        .query(move |tx| Box::pin(async move { tx.browser_session_auth(hash).await.map_err(Error::from) }))
        .await?;
    let now = hub.now();
    let session = session.filter(|session| {
        session.expires_at > now && now.since(session.last_seen_at) < SESSION_IDLE && !session.user_is_disabled
    });
    let session = session.ok_or_else(ended)?;
    if now.since(session.last_seen_at) > SEEN_EVERY {
        let id = session.id;
        hub.store
            .write(move |tx| Box::pin(async move { tx.browser_session_seen(id, now).await.map_err(Error::from) }))
            .await?;
    }
    Ok(Identified::Browser(session))
}

async fn by_runner(hub: &Hub, secret: &Secret) -> Result<Identified> {
    let hash = secret.hash();
    let found = hub
        .store
        .query(move |tx| Box::pin(async move { tx.host_session_auth(hash).await.map_err(Error::from) }))
        .await?;
    let runner = found.filter(|runner| runner.revoked_at.is_none() && runner.closed_at.is_none());
    let runner =
        runner.ok_or_else(|| Error::new(Code::TokenInvalid, "this runner session is closed or was revoked"))?;
    Ok(Identified::Runner { host: runner.host_id, org: runner.org_id, name: runner.name })
}

fn credentials_of(known: &Identified) -> (Option<SessionId>, Option<SocketCredential>) {
    match known {
        Identified::Browser(session) => {
            let credential = SocketCredential::Browser {
                session: session.id,
                user: session.user_id,
                authz_version: session.authz_version,
            };
            (Some(session.id), Some(credential))
        }
        Identified::Token(token) => (
            None,
            Some(SocketCredential::Token { token: token.id, user: token.user_id, authz_version: token.authz_version }),
        ),
        Identified::Nobody | Identified::Local { .. } | Identified::Runner { .. } => (None, None),
    }
}

fn nobody() -> Error {
    Error::new(Code::Unauthenticated, "you are not signed in")
        .hint("sign in with `hostler login`, or send a token: Authorization: Bearer hst_…")
}

fn actor(known: &Identified) -> Result<Actor> {
    Ok(match known {
        Identified::Nobody => return Err(nobody()),
        Identified::Local { uid } => Actor::Local { uid: *uid },
        Identified::Browser(session) => {
            Actor::User { id: session.user_id, name: audit_name(&session.user_email, session.user_email_verified_at) }
        }
        Identified::Token(token) => Actor::Token {
            id: token.id,
            user: token.user_id,
            name: audit_name(&token.name, token.user_email_verified_at),
        },
        Identified::Runner { host, name, .. } => Actor::Host { id: *host, name: name.clone() },
    })
}

/// The caller's role in an org; `None` if they have no access to it.
async fn role_in(hub: &Hub, known: &Identified, org: OrgId) -> Result<Option<Role>> {
    Ok(match known {
        Identified::Nobody | Identified::Runner { .. } => None,
        Identified::Local { .. } => Some(Role::SuperAdmin),
        Identified::Browser(session) if session.user_is_super => Some(Role::SuperAdmin),
        Identified::Browser(session) => {
            let user = session.user_id;
            let member = hub
                .store
                .query(move |tx| Box::pin(async move { tx.member_get(org, user).await.map_err(Error::from) }))
                .await?;
            member.map(|member| member.role)
        }
        Identified::Token(token) => token_lookup::role_in(token, org),
    })
}

fn scope(known: &Identified) -> Scope {
    if let Identified::Token(token) = known { token.scope } else { Scope::Api }
}

/// The org of a request to `/api/v1/…` without `/orgs/{org}`.
async fn own_org(hub: &Hub, known: &Identified) -> Result<Option<OrgId>> {
    let user = match known {
        // Tokens and runner sessions are removed with their org, so it exists.
        Identified::Token(token) => return Ok(Some(token.org_id)),
        Identified::Runner { org, .. } => return Ok(Some(*org)),
        Identified::Browser(session) => Some(session.user_id),
        Identified::Nobody | Identified::Local { .. } => None,
    };
    let is_super = matches!(known, Identified::Local { .. })
        || matches!(known, Identified::Browser(session) if session.user_is_super);
    hub.store
        .read(move |tx| {
            Box::pin(async move {
                if let Some(user) = user
                    && let Some(first) = tx.memberships(user).await?.first()
                {
                    return Ok(Some(first.org_id));
                }
                if !is_super {
                    return Ok(None);
                }
                let default = tx.org_by_slug(domain::org::FIRST_ORG).await?;
                Ok(match default {
                    Some(org) => Some(org.id),
                    None => tx.org_list("", 1).await?.pop().map(|org| org.id),
                })
            })
        })
        .await
}

async fn signed_in(hub: &Hub, known: &Identified) -> Result<Caller> {
    let actor = actor(known)?;
    if let Identified::Runner { .. } = known {
        return Err(Error::new(Code::Forbidden, "a runner session cannot call this route"));
    }
    let org = own_org(hub, known).await?;
    let role = match org {
        Some(org) => role_in(hub, known, org).await?,
        None => None,
    };
    Ok(Caller { actor, org, role, scope: scope(known) })
}

async fn person(hub: &Hub, known: &Identified) -> Result<Caller> {
    let caller = signed_in(hub, known).await?;
    match known {
        Identified::Browser(_) => Ok(caller),
        _ => Err(Error::new(Code::Forbidden, "this needs a browser session").hint("sign in to the web UI")),
    }
}

fn runner(known: &Identified) -> Result<Caller> {
    let actor = actor(known)?;
    match known {
        Identified::Runner { org, .. } => Ok(Caller { actor, org: Some(*org), role: None, scope: Scope::Api }),
        _ => Err(Error::new(Code::Forbidden, "only a runner session can call this route")),
    }
}

async fn org_in_path(parts: &mut Parts) -> Option<String> {
    let params = RawPathParams::from_request_parts(parts, &()).await.ok()?;
    params.iter().find(|(name, _)| *name == "org").map(|(_, value)| value.to_owned())
}

async fn in_org(hub: &Hub, known: &Identified, named: Option<&str>) -> Result<Caller> {
    let actor = actor(known)?;
    let org = match named {
        Some(named) => find_org(hub, named).await?,
        None => own_org(hub, known).await?,
    };
    let missing = || {
        let missing = match named {
            Some(named) => Error::not_found("org", named),
            None => Error::new(Code::NotFound, "you are not a member of an organization"),
        };
        missing.hint("`hostler whoami` lists your organizations")
    };
    let org = org.ok_or_else(missing)?;
    if let Identified::Runner { org: own, .. } = known {
        return Err(if *own == org {
            Error::new(Code::Forbidden, "a runner session cannot call this route")
        } else {
            missing()
        });
    }
    // Without a role in it, the org is reported as missing: the answer must not reveal which orgs exist.
    let role = role_in(hub, known, org).await?.ok_or_else(missing)?;
    Ok(Caller { actor, org: Some(org), role: Some(role), scope: scope(known) })
}

async fn find_org(hub: &Hub, named: &str) -> Result<Option<OrgId>> {
    let (id, slug) = (named.parse::<OrgId>().ok(), named.to_owned());
    hub.store
        .query(move |tx| {
            Box::pin(async move {
                let org = match id {
                    Some(id) => tx.org_get(id).await?,
                    None => tx.org_by_slug(&slug).await?,
                };
                Ok(org.map(|org| org.id))
            })
        })
        .await
}
