//! Signing in: password, one-time link, invitation, device code. Every failed attempt is counted.

use domain::{
    Actor, Role, SessionId, Span, UserId,
    role::{Scope, login_role},
    secret::{Secret, SecretKind, user_code},
    throttle::Guess,
};
use proto::{
    Code,
    api::{
        person::{Token as TokenView, TokenCreated},
        sign_in::{
            DeviceAnswer, DeviceStartRequest, DeviceStarted, DeviceView, InvitationAcceptRequest, InvitationView,
            LoginRequest, PasswordRequest, SignInLink,
        },
    },
};
use serde_json::json;
use store::{
    device::{DeviceDecision, DeviceLogin, DeviceState},
    invitation::Invitation,
    token::Token,
    user::User,
};

use crate::app::{
    AuditEntry, FromStore, RequestContext,
    people::{password, verified::audit_name},
};
use crate::{Error, Hub, Result};

/// Lifetime of a one-time sign-in link.
pub(crate) const LINK_TTL: Span = Span::from_secs(15 * 60);
/// A browser session ends after this time without use.
pub(crate) const SESSION_IDLE: Span = Span::from_secs(12 * 3_600);
/// Longest lifetime of a browser session.
pub(crate) const SESSION_MAX: Span = Span::from_secs(7 * 86_400);
/// How long a device-code login waits for its confirmation.
const DEVICE_TTL: Span = Span::from_secs(10 * 60);
/// Lifetime of a token created by a device-code login.
const DEVICE_TOKEN_TTL: Span = Span::from_secs(90 * 86_400);
/// Poll interval of a device.
const DEVICE_POLL_SECONDS: u32 = 2;

/// The credentials of a browser that has signed in.
pub struct SignedIn {
    /// The secret of the new session.
    pub session: Secret,
    /// The signed cookie that gives the browser its own count of failed attempts.
    pub browser: String,
}

impl Hub {
    /// Signs in with a password. `browser` is the cookie of an earlier sign-in.
    ///
    /// # Errors
    /// Fails if address or password are wrong, or after too many failed attempts.
    pub async fn sign_in_password(
        &self,
        by: &RequestContext,
        request: LoginRequest,
        browser: Option<&str>,
    ) -> Result<SignedIn> {
        let email = request.email.trim().to_lowercase();
        let lookup = email.clone();
        let user = self
            .store
            .read(move |tx| Box::pin(async move { tx.user_by_email(&lookup).await.map_err(Error::from) }))
            .await?;
        let known = user.as_ref().and_then(|user| self.known_browser(browser?, user.id));
        let attempt = self.reserve_try(by, &email, known).await?;
        let kept = user.as_ref().filter(|user| !user.is_disabled).and_then(|user| user.password_hash.clone());
        if !password::verify(request.password, kept).await? {
            self.sign_in_failed(by, "password", &email).await?;
            return Err(Error::new(Code::LoginFailed, "wrong email address or password")
                .hint("on the hub's machine, `hostler open` signs you in without a password"));
        }
        let user = user.ok_or_else(|| Error::new(Code::LoginFailed, "wrong email address or password"))?;
        self.forgive_try(attempt).await?;
        self.open_session(by, user.id, "password").await
    }

    /// Signs in with a one-time link.
    ///
    /// # Errors
    /// Fails if the link is used, expired or unknown, or after too many failed attempts.
    pub async fn sign_in_link(&self, by: &RequestContext, secret: &str) -> Result<SignedIn> {
        let now = self.now();
        let user = match self.secret(by, SecretKind::Link, secret).await? {
            Some(secret) => {
                let hash = secret.hash();
                self.store
                    .write(move |tx| Box::pin(async move { tx.login_link_use(hash, now).await.map_err(Error::from) }))
                    .await?
            }
            None => None,
        };
        let Some(user) = user else {
            self.guessed_wrong(Guess::Code, &by.address, None).await?;
            self.sign_in_failed(by, "link", "").await?;
            return Err(Error::new(Code::LinkInvalid, "this sign-in link was already used or has expired")
                .hint("on the hub's machine, run `hostler open`"));
        };
        self.open_session(by, user, "link").await
    }

    /// Creates a one-time sign-in link: on the hub's machine for the owner, in a browser for the user who asks.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn sign_in_link_create(&self, by: &RequestContext) -> Result<SignInLink> {
        // Tokens may not create links: the session of a link would outlive the token.
        let owner = match &by.caller.actor {
            Actor::Local { .. } => self.owner().await?,
            Actor::User { id, .. } => *id,
            _ => {
                return Err(Error::new(Code::Forbidden, "a token cannot create sign-in links")
                    .hint("run `hostler open` on the hub's machine"));
            }
        };
        let now = self.now();
        let secret = Secret::new(SecretKind::Link, self.random.bytes(), &[]);
        let (hub, hash, by) = (self.clone(), secret.hash(), by.clone());
        let expires_at = now + LINK_TTL;
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    tx.login_link_insert(hub.ids.next(), owner, hash, expires_at, now).await?;
                    let entry = AuditEntry {
                        action: "sign_in.link_created",
                        kind: "user",
                        id: Some(owner.to_string()),
                        name: None,
                        diff: json!({}),
                    };
                    by.record(&hub, tx, None, entry).await
                })
            })
            .await?;
        Ok(SignInLink { url: format!("{}/s/{}", self.options.public_url, secret.reveal()), expires_at })
    }

    /// Returns an invitation with its organization and role.
    ///
    /// # Errors
    /// Fails if the invitation is used, expired or unknown, or after too many failed attempts.
    pub async fn invitation_view(&self, by: &RequestContext, secret: &str) -> Result<InvitationView> {
        let (invitation, user) = self.invitation_of(by, secret).await?;
        let org = invitation.org_id;
        let org =
            self.store.read(move |tx| Box::pin(async move { tx.org_get(org).await.map_err(Error::from) })).await?;
        Ok(InvitationView {
            email: invitation.email,
            org: org.map(|org| org.name).unwrap_or_default(),
            role: invitation.role.to_string(),
            is_known: user.is_some_and(|user| user.password_hash.is_some()),
            expires_at: invitation.expires_at,
        })
    }

    /// Accepts an invitation: creates the user if needed, adds the membership, and signs in.
    ///
    /// # Errors
    /// Fails if the invitation is used or expired, or the password is too short or wrong.
    pub async fn invitation_accept(&self, by: &RequestContext, request: InvitationAcceptRequest) -> Result<SignedIn> {
        let (invitation, known) = self.invitation_of(by, &request.secret).await?;
        // An account without a password still belongs to its user: holding the link must not be enough to set one.
        if known.as_ref().is_some_and(|user| user.password_hash.is_none()) {
            return Err(without_password(&invitation.email));
        }
        let hash = match known.as_ref().and_then(|user| user.password_hash.clone()) {
            // An existing user must prove the account with its password: the link alone must not take it over.
            Some(kept) => {
                let attempt = self.reserve_try(by, &invitation.email, None).await?;
                if !password::verify(request.password, Some(kept)).await? {
                    self.sign_in_failed(by, "invitation", &invitation.email).await?;
                    return Err(Error::new(Code::LoginFailed, "wrong password for this account")
                        .hint("use your existing password on this hub"));
                }
                self.forgive_try(attempt).await?;
                None
            }
            None => {
                password::check(&request.password)?;
                Some(password::hash(request.password).await?)
            }
        };
        let name = if request.name.trim().is_empty() {
            invitation.email.clone()
        } else {
            request.name.trim().chars().take(120).collect()
        };
        let (hub, by_record, now) = (self.clone(), by.clone(), self.now());
        let user = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    if !tx.invitation_accept(invitation.id, now).await? {
                        return Err(gone_invitation());
                    }
                    let user = match known {
                        Some(user) => user.id,
                        None => hub.user_make(tx, &invitation.email, &name).await?,
                    };
                    if let Some(hash) = hash {
                        tx.user_set_password(user, &hash, now).await?;
                    }
                    // An existing member keeps a higher role: an invitation never lowers it.
                    let role = tx.member_get(invitation.org_id, user).await?.map(|member| member.role);
                    tx.member_put(invitation.org_id, user, role.unwrap_or(invitation.role).max(invitation.role), now)
                        .await?;
                    let entry = AuditEntry {
                        action: "member.joined",
                        kind: "user",
                        id: Some(user.to_string()),
                        name: Some(&invitation.email),
                        diff: json!({"role": [null, invitation.role]}),
                    };
                    by_record.record(&hub, tx, Some(invitation.org_id), entry).await?;
                    Ok(user)
                })
            })
            .await?;
        self.open_session(by, user, "invitation").await
    }

    async fn user_make(&self, tx: &mut store::Tx<'_>, email: &str, name: &str) -> Result<UserId> {
        let now = self.now();
        let user = User {
            id: self.ids.next(),
            email: email.to_owned(),
            name: name.to_owned(),
            password_hash: None,
            is_super: false,
            is_disabled: false,
            // The inviter has the link, too: accepting it does not prove the address.
            email_verified_at: None,
            authz_version: 1,
            created_at: now,
            updated_at: now,
        };
        tx.user_insert(&user).await?;
        Ok(user.id)
    }

    async fn invitation_of(&self, by: &RequestContext, secret: &str) -> Result<(Invitation, Option<User>)> {
        let now = self.now();
        if let Some(secret) = self.secret(by, SecretKind::Invitation, secret).await? {
            let hash = secret.hash();
            let found = self
                .store
                .read(move |tx| {
                    Box::pin(async move {
                        let Some(invitation) = tx.invitation_by_hash(hash).await? else { return Ok(None) };
                        let user = tx.user_by_email(&invitation.email).await?;
                        Ok::<_, Error>(Some((invitation, user)))
                    })
                })
                .await?;
            if let Some((invitation, user)) =
                found.filter(|(invitation, _)| invitation.accepted_at.is_none() && invitation.expires_at > now)
            {
                return Ok((invitation, user));
            }
        }
        self.guessed_wrong(Guess::Code, &by.address, None).await?;
        Err(gone_invitation())
    }

    /// Sets the caller's own password.
    ///
    /// # Errors
    /// Fails if the old password is wrong, or the new one is too short or too long.
    pub async fn password_set(
        &self,
        by: &RequestContext,
        session: Option<SessionId>,
        request: PasswordRequest,
    ) -> Result<()> {
        let user = by.caller.actor.user().ok_or_else(|| Error::new(Code::Forbidden, "only users have passwords"))?;
        password::check(&request.new)?;
        let kept =
            self.store.read(move |tx| Box::pin(async move { tx.user_get(user).await.map_err(Error::from) })).await?;
        let kept = kept.ok_or_else(|| Error::not_found("user", user))?;
        if let Some(hash) = kept.password_hash {
            let attempt =
                self.reserve_try(by, &kept.email, session.map(|session| format!("session:{session}"))).await?;
            if !password::verify(request.old.unwrap_or_default(), Some(hash)).await? {
                self.sign_in_failed(by, "old password", &kept.email).await?;
                return Err(Error::new(Code::LoginFailed, "the old password is wrong"));
            }
            self.forgive_try(attempt).await?;
        }
        let hash = password::hash(request.new).await?;
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    tx.user_set_password(user, &hash, now).await?;
                    // End all other sessions and logins: the password may be changed because a stranger knows the old
                    // one.
                    if let Some(session) = session {
                        tx.browser_session_remove_others(user, session).await?;
                    }
                    let revoked = tx.token_revoke_logins(user, now).await?;
                    let entry = AuditEntry {
                        action: "user.password_set",
                        kind: "user",
                        id: Some(user.to_string()),
                        name: Some(&kept.email),
                        diff: if revoked > 0 { json!({"revoked_tokens": [null, revoked]}) } else { json!({}) },
                    };
                    by.record(&hub, tx, None, entry).await
                })
            })
            .await?;
        self.wakes.socket_revoker.wake();
        Ok(())
    }

    /// Ends the caller's session.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn sign_out(&self, by: &RequestContext, session: Option<SessionId>) -> Result<()> {
        let Some(session) = session else { return Ok(()) };
        let (hub, by) = (self.clone(), by.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    tx.browser_session_remove(session).await?;
                    let (id, name) = (by.caller.actor.id_text(), by.caller.actor.label());
                    let entry =
                        AuditEntry { action: "user.signed_out", kind: "user", id, name: Some(&name), diff: json!({}) };
                    by.record(&hub, tx, None, entry).await
                })
            })
            .await?;
        self.wakes.socket_revoker.wake();
        Ok(())
    }

    async fn open_session(&self, by: &RequestContext, user: UserId, how: &'static str) -> Result<SignedIn> {
        let secret = Secret::new(SecretKind::Session, self.random.bytes(), &[]);
        let (hub, by, hash, now) = (self.clone(), by.clone(), secret.hash(), self.now());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    tx.browser_session_insert(hub.ids.next(), user, hash, &by.address, now + SESSION_MAX, now).await?;
                    let found = tx.user_get(user).await?;
                    let name = found.map(|user| audit_name(&user.email, user.email_verified_at));
                    let entry = AuditEntry {
                        action: "user.signed_in",
                        kind: "user",
                        id: Some(user.to_string()),
                        name: name.as_deref(),
                        diff: json!({"how": how}),
                    };
                    by.record(&hub, tx, None, entry).await
                })
            })
            .await?;
        Ok(SignedIn { session: secret, browser: self.browser_cookie(user) })
    }

    /// Starts a device-code login.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn device_start(&self, by: &RequestContext, request: DeviceStartRequest) -> Result<DeviceStarted> {
        // Needs no credentials, so each start counts like a wrong code: one address cannot fill the table.
        self.may_guess(Guess::Device, &by.address, None).await?;
        self.guessed_wrong(Guess::Device, &by.address, None).await?;
        let secret = Secret::new(SecretKind::Device, self.random.bytes(), &[]);
        let now = self.now();
        let login = DeviceLogin {
            id: self.ids.next(),
            user_code: user_code(self.random.bytes()),
            client: request.client.chars().filter(|c| !c.is_control()).take(120).collect(),
            address: by.address.clone(),
            state: DeviceState::Pending,
            user_id: None,
            org_id: None,
            role_asked: request.role,
            role_granted: None,
            expires_at: now + DEVICE_TTL,
            created_at: now,
        };
        let (row, hash) = (login.clone(), secret.hash());
        self.store
            .write(move |tx| Box::pin(async move { tx.device_insert(&row, hash).await.map_err(Error::from) }))
            .await?;
        Ok(DeviceStarted {
            device_secret: secret.reveal().to_owned(),
            url: format!("{}/d/{}", self.options.public_url, login.user_code),
            user_code: login.user_code,
            poll_seconds: DEVICE_POLL_SECONDS,
            expires_at: login.expires_at,
        })
    }

    /// Returns the device-code login that a user is about to confirm.
    ///
    /// # Errors
    /// Fails if no login waits for this code, or after too many failed attempts.
    pub async fn device_view(&self, by: &RequestContext, code: &str) -> Result<DeviceView> {
        self.may_guess(Guess::Code, &by.address, None).await?;
        let (code, now) = (code.trim().to_uppercase(), self.now());
        let found = self
            .store
            .read(move |tx| Box::pin(async move { tx.device_by_code(&code, now).await.map_err(Error::from) }))
            .await?;
        let Some(login) = found else {
            self.guessed_wrong(Guess::Code, &by.address, None).await?;
            return Err(no_device());
        };
        let own = by.caller.role.unwrap_or(Role::Viewer);
        Ok(DeviceView {
            user_code: login.user_code,
            client: login.client,
            address: login.address,
            role: login_role(own, None, login.role_asked),
            roles: Role::ALL.iter().copied().filter(|role| *role <= own).collect(),
            expires_at: login.expires_at,
        })
    }

    /// Stores a user's answer to a device-code login.
    ///
    /// # Errors
    /// Fails if no login waits for this code.
    pub async fn device_answer(&self, by: &RequestContext, answer: DeviceAnswer) -> Result<()> {
        let view = self.device_view(by, &answer.user_code).await?;
        let user =
            by.caller.actor.user().ok_or_else(|| Error::new(Code::Forbidden, "only users can confirm a login"))?;
        let org = by.caller.org.ok_or_else(|| {
            Error::new(Code::Forbidden, "you are not a member of an organization")
                .hint("ask an admin for an invitation")
        })?;
        let own = by.caller.role.unwrap_or(Role::Viewer);
        let role = answer.role.unwrap_or(view.role);
        if role > own {
            return Err(Error::new(Code::Forbidden, format!("the role {role} is above your own role, {own}")));
        }
        let state = if answer.approve { DeviceState::Approved } else { DeviceState::Refused };
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let decision = DeviceDecision { state, user, org, role };
                    if !tx.device_answer(&view.user_code, decision, now).await? {
                        return Err(no_device());
                    }
                    let diff = json!({"state": [null, state], "client": [null, view.client],
                        "from": [null, view.address], "role": [null, role]});
                    by.record(
                        &hub,
                        tx,
                        Some(org),
                        AuditEntry { action: "device.answered", kind: "device", id: None, name: None, diff },
                    )
                    .await
                })
            })
            .await
    }

    /// Polls a device-code login. After the confirmation, returns the token, once.
    ///
    /// # Errors
    /// Fails while the login waits, and if it was rejected, expired or is unknown.
    pub async fn device_poll(&self, by: &RequestContext, secret: &str) -> Result<TokenCreated> {
        let ended = || {
            Error::new(Code::DeviceEnded, "this login was rejected or has expired").hint("run `hostler login` again")
        };
        let Some(secret) = self.secret(by, SecretKind::Device, secret).await? else { return Err(ended()) };
        let hash = secret.hash();
        let login = self
            .store
            .read(move |tx| Box::pin(async move { tx.device_by_hash(hash).await.map_err(Error::from) }))
            .await?;
        let login = login.filter(|login| login.expires_at > self.now()).ok_or_else(ended)?;
        let (user, org) = match (login.state, login.user_id, login.org_id) {
            (DeviceState::Pending, ..) => {
                return Err(Error::new(Code::DevicePending, "this login has not been confirmed yet")
                    .retry_after(Span::from_secs(DEVICE_POLL_SECONDS)));
            }
            (DeviceState::Approved, Some(user), Some(org)) => (user, org),
            _ => return Err(ended()),
        };
        let secret = Secret::new(SecretKind::Token, self.random.bytes(), &[]);
        let now = self.now();
        let (hub, by, made) = (self.clone(), by.clone(), secret.clone());
        let token = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    if !tx.device_finish(login.id, now).await? {
                        return Err(ended());
                    }
                    let person = tx.user_get(user).await?.ok_or_else(ended)?;
                    let member = tx.member_get(org, user).await?.map(|member| member.role);
                    // The rights of the user can have changed since the approval.
                    let own = if person.is_super { Some(Role::SuperAdmin) } else { member }.ok_or_else(ended)?;
                    let token = Token {
                        id: hub.ids.next(),
                        org_id: org,
                        user_id: user,
                        parent_id: None,
                        name: login.client.clone(),
                        hint: made.hint(),
                        role: login_role(own, login.role_granted, login.role_asked),
                        scope: Scope::Api,
                        is_login: true,
                        may_create_tokens: true,
                        created_by: audit_name(&person.email, person.email_verified_at),
                        expires_at: Some(now + DEVICE_TOKEN_TTL),
                        revoked_at: None,
                        last_used_at: None,
                        created_at: now,
                    };
                    tx.token_insert(&token, made.hash()).await?;
                    let entry = AuditEntry {
                        action: "token.created",
                        kind: "token",
                        id: Some(token.id.to_string()),
                        name: Some(&token.name),
                        diff: json!({"role": [null, token.role]}),
                    };
                    by.record(&hub, tx, Some(org), entry).await?;
                    Ok(token)
                })
            })
            .await?;
        Ok(TokenCreated { token: TokenView::from_store(token), secret: secret.reveal().to_owned() })
    }

    /// Parses a secret from user input. A malformed one returns `None` without a database query.
    async fn secret(&self, by: &RequestContext, kind: SecretKind, text: &str) -> Result<Option<Secret>> {
        self.may_guess(Guess::Code, &by.address, None).await?;
        Ok(Secret::parse(kind, text).ok())
    }
}

fn gone_invitation() -> Error {
    Error::new(Code::LinkInvalid, "this invitation was already used or has expired")
        .hint("ask the sender for a new invitation")
}

/// The error for an account that signs in by link only, and so cannot prove itself when it accepts an invitation.
pub(crate) fn without_password(email: &str) -> Error {
    Error::new(Code::Forbidden, format!("the account {email} has no password"))
        .hint("the user must set a password (user menu), then accept the invitation")
}

fn no_device() -> Error {
    Error::new(Code::NotFound, "no login waits for this code").hint("check the code, or run `hostler login` again")
}

impl FromStore<Token> for TokenView {
    fn from_store(token: Token) -> Self {
        Self {
            id: token.id,
            name: token.name,
            hint: token.hint,
            user_id: token.user_id,
            role: token.role,
            scope: token.scope,
            queues: Vec::new(),
            definitions: None,
            is_login: token.is_login,
            may_create_tokens: token.may_create_tokens,
            parent_id: token.parent_id,
            created_by: token.created_by,
            expires_at: token.expires_at,
            revoked_at: token.revoked_at,
            last_used_at: token.last_used_at,
            created_at: token.created_at,
        }
    }
}
