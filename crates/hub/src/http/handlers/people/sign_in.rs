//! Sign-in, sign-out, and the caller's own account.

use axum::{
    Extension, Json,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use axum_extra::extract::cookie::{Cookie, SameSite};
use domain::{Actor, Role, Span};
use proto::api::{
    person::{Me, Membership, TokenCreated},
    sign_in::{
        DeviceAnswer, DevicePollRequest, DeviceStartRequest, DeviceStarted, DeviceView, InvitationAcceptRequest,
        InvitationView, LinkLoginRequest, LoginRequest, PasswordRequest, SignInLink,
    },
};
use serde::Deserialize;

use crate::http::{
    cookies::{BROWSER_COOKIES, COOKIES, browser_cookie},
    extract::{Body, Ctx, Path},
    request_meta::RequestMeta,
};
use crate::{
    Error, Result,
    app::people::{
        known_browser::BROWSER_TTL,
        sign_in::{SESSION_MAX, SignedIn},
    },
};

/// Sign in with a password.
#[utoipa::path(post, path = "/api/v1/sign-in/password", tag = "sign-in", request_body = LoginRequest, responses((status = 204, description = "Signed in; the session is a cookie")))]
pub(crate) async fn password(
    cx: Ctx,
    Extension(seen): Extension<RequestMeta>,
    headers: HeaderMap,
    Body(request): Body<LoginRequest>,
) -> Result<Response> {
    let browser = browser_cookie(&headers, seen.is_encrypted);
    Ok(signed_in(&cx.hub.sign_in_password(&cx.by, request, browser.as_deref()).await?, &seen))
}

/// Sign in with a one-time link.
#[utoipa::path(post, path = "/api/v1/sign-in/link", tag = "sign-in", request_body = LinkLoginRequest, responses((status = 204, description = "Signed in; the session is a cookie")))]
pub(crate) async fn link(
    cx: Ctx,
    Extension(seen): Extension<RequestMeta>,
    Body(request): Body<LinkLoginRequest>,
) -> Result<Response> {
    Ok(signed_in(&cx.hub.sign_in_link(&cx.by, &request.secret).await?, &seen))
}

/// Create a one-time sign-in link for the caller; on the local socket for the owner of this hub.
#[utoipa::path(post, path = "/api/v1/sign-in/links", tag = "sign-in", responses((status = 200, body = SignInLink)))]
pub(crate) async fn link_create(cx: Ctx) -> Result<Json<SignInLink>> {
    Ok(Json(cx.hub.sign_in_link_create(&cx.by).await?))
}

/// Get an invitation.
#[utoipa::path(post, path = "/api/v1/sign-in/invitation/view", tag = "sign-in", request_body = LinkLoginRequest, responses((status = 200, body = InvitationView)))]
pub(crate) async fn invitation_view(cx: Ctx, Body(request): Body<LinkLoginRequest>) -> Result<Json<InvitationView>> {
    Ok(Json(cx.hub.invitation_view(&cx.by, &request.secret).await?))
}

/// Accept an invitation and sign in.
#[utoipa::path(post, path = "/api/v1/sign-in/invitation", tag = "sign-in", request_body = InvitationAcceptRequest, responses((status = 204, description = "Signed in; the session is a cookie")))]
pub(crate) async fn invitation_accept(
    cx: Ctx,
    Extension(seen): Extension<RequestMeta>,
    Body(request): Body<InvitationAcceptRequest>,
) -> Result<Response> {
    Ok(signed_in(&cx.hub.invitation_accept(&cx.by, request).await?, &seen))
}

/// Start a device-code login.
#[utoipa::path(post, path = "/api/v1/sign-in/device", tag = "sign-in", request_body = DeviceStartRequest, responses((status = 200, body = DeviceStarted)))]
pub(crate) async fn device_start(cx: Ctx, Body(request): Body<DeviceStartRequest>) -> Result<Json<DeviceStarted>> {
    Ok(Json(cx.hub.device_start(&cx.by, request).await?))
}

/// Poll a device-code login. Returns a token once it was confirmed.
#[utoipa::path(post, path = "/api/v1/sign-in/device/poll", tag = "sign-in", request_body = DevicePollRequest, responses((status = 200, body = TokenCreated)))]
pub(crate) async fn device_poll(cx: Ctx, Body(request): Body<DevicePollRequest>) -> Result<Json<TokenCreated>> {
    Ok(Json(cx.hub.device_poll(&cx.by, &request.device_secret).await?))
}

#[derive(Deserialize)]
pub(crate) struct DevicePath {
    user_code: String,
}

/// Get the device-code login that the user is about to confirm.
#[utoipa::path(get, path = "/api/v1/sign-in/device/{user_code}", tag = "sign-in", params(("user_code" = String, Path, description = "Code shown by the device")), responses((status = 200, body = DeviceView)))]
pub(crate) async fn device_view(cx: Ctx, Path(at): Path<DevicePath>) -> Result<Json<DeviceView>> {
    Ok(Json(cx.hub.device_view(&cx.by, &at.user_code).await?))
}

/// Confirm or reject a device-code login, with the role of its token.
#[utoipa::path(post, path = "/api/v1/sign-in/device/answer", tag = "sign-in", request_body = DeviceAnswer, responses((status = 204, description = "Stored")))]
pub(crate) async fn device_answer(cx: Ctx, Body(answer): Body<DeviceAnswer>) -> Result<StatusCode> {
    cx.hub.device_answer(&cx.by, answer).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sign out.
#[utoipa::path(post, path = "/api/v1/sign-out", tag = "sign-in", responses((status = 204, description = "Signed out")))]
pub(crate) async fn sign_out(cx: Ctx) -> Result<Response> {
    cx.hub.sign_out(&cx.by, cx.session).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    for name in COOKIES {
        let gone =
            Cookie::build((name, "")).path("/").secure(name.starts_with("__")).max_age(Default::default()).build();
        append_cookie(&mut response, &gone);
    }
    Ok(response)
}

/// Set the caller's password. All other sessions and all login tokens of the caller end.
#[utoipa::path(post, path = "/api/v1/me/password", tag = "sign-in", request_body = PasswordRequest, responses((status = 204, description = "Set")))]
pub(crate) async fn password_set(cx: Ctx, Body(request): Body<PasswordRequest>) -> Result<StatusCode> {
    cx.hub.password_set(&cx.by, cx.session, request).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Get the caller's account and organizations.
#[utoipa::path(get, path = "/api/v1/me", tag = "sign-in", responses((status = 200, body = Me)))]
pub(crate) async fn me(cx: Ctx) -> Result<Json<Me>> {
    let caller = cx.by.caller.clone();
    let user_id = caller.actor.user();
    let (user, memberships, all) = cx
        .hub
        .store
        .read(move |tx| {
            Box::pin(async move {
                let Some(id) = user_id else {
                    return Ok::<_, Error>((None, Vec::new(), tx.org_list("", 1_000).await?));
                };
                Ok((tx.user_get(id).await?, tx.memberships(id).await?, tx.org_list("", 1_000).await?))
            })
        })
        .await?;
    let is_super_admin = caller.role == Some(Role::SuperAdmin);
    let mut orgs: Vec<Membership> = memberships
        .into_iter()
        .map(|m| Membership { org_id: m.org_id, slug: m.slug, name: m.name, timezone: m.timezone, role: m.role })
        .collect();
    if let (Actor::Token { .. }, Some(own), false) = (&caller.actor, caller.org, is_super_admin) {
        orgs.retain(|org| org.org_id == own);
    }
    if is_super_admin {
        let others = all.into_iter().filter(|org| orgs.iter().all(|known| known.org_id != org.id));
        let others: Vec<Membership> = others
            .map(|org| Membership {
                org_id: org.id,
                slug: org.slug,
                name: org.name,
                timezone: org.timezone,
                role: Role::SuperAdmin,
            })
            .collect();
        orgs.extend(others);
    }
    Ok(Json(Me {
        kind: caller.actor.kind().to_string(),
        user_id,
        name: user.as_ref().map_or_else(|| caller.actor.label(), |user| user.name.clone()),
        email: user.map(|user| user.email),
        is_super_admin,
        org_id: caller.org,
        orgs,
    }))
}

/// The response to a sign-in: HttpOnly cookies, with the `__Host-` prefix on an encrypted connection.
fn signed_in(credentials: &SignedIn, seen: &RequestMeta) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let session = credentials.session.reveal().to_owned();
    set_cookie(&mut response, COOKIES, session, SESSION_MAX, seen.is_encrypted);
    set_cookie(&mut response, BROWSER_COOKIES, credentials.browser.clone(), BROWSER_TTL, seen.is_encrypted);
    response
}

fn set_cookie(response: &mut Response, names: [&'static str; 2], value: String, age: Span, is_encrypted: bool) {
    let cookie = Cookie::build((names[usize::from(is_encrypted)], value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(is_encrypted);
    let text = format!("{}; Max-Age={}", cookie.build(), age.as_millis() / 1_000);
    if let Ok(value) = HeaderValue::from_str(&text) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

fn append_cookie(response: &mut Response, cookie: &Cookie<'_>) {
    if let Ok(value) = HeaderValue::from_str(&cookie.to_string()) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}
