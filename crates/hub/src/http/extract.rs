//! What handlers extract from a request: the context of the caller, and its path, query and body.

use axum::{
    extract::{FromRequest, FromRequestParts, Path as AxumPath, Query as AxumQuery, Request},
    http::request::Parts,
};
use domain::{HostId, OrgId, SessionId};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use proto::Code;
use serde::de::DeserializeOwned;
use store::socket_credential::SocketCredential;

use crate::{Error, Hub, Result, app::RequestContext, http::deferred_auth::DeferredAuth};

/// The context of a request that was let in. Only `auth::authorise` makes one.
#[derive(Clone)]
pub struct Ctx {
    /// The hub.
    pub hub: Hub,
    /// Who asks.
    pub by: RequestContext,
    /// The browser session, if that is how they came.
    pub session: Option<SessionId>,
    /// What a live socket of this caller would stand on.
    pub credential: Option<SocketCredential>,
    /// The runner, on routes for runners.
    pub host: Option<HostId>,
    /// What must be made sure of with whatever is written, if the caller's token was not asked for.
    pub deferred_auth: Option<DeferredAuth>,
}

impl Ctx {
    /// AuthCheck for the caller's token, if nobody has: for handlers that answer before everything is written.
    ///
    /// # Errors
    /// The caller may no longer do this.
    pub async fn confirm(&self) -> Result<(), Error> {
        match &self.deferred_auth {
            Some(deferred_auth) => deferred_auth.confirm(&self.hub).await,
            None => Ok(()),
        }
    }

    /// The org of an org's route.
    ///
    /// # Errors
    /// The route is not one of an org: a mistake of ours.
    pub fn org(&self) -> Result<OrgId, Error> {
        self.by
            .caller
            .org
            .ok_or_else(|| Error::internal(anyhow::anyhow!("a handler asked for the org on a route without one")))
    }
}

impl<S: Sync> FromRequestParts<S> for Ctx {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        // Absent only if a route was mounted without its guard, which `Routes` does not allow: fail closed.
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| Error::internal(anyhow::anyhow!("a route without a guard was reached")))
    }
}

/// The largest ordinary body.
pub const BODY_MAX: usize = 1024 * 1024;

/// A JSON body. An empty one counts as `{}`.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let bytes = read_body(request, BODY_MAX).await?;
        let bytes = if bytes.is_empty() { bytes::Bytes::from_static(b"{}") } else { bytes };
        read_json(&bytes).map(Body)
    }
}

/// The whole body, at most so many bytes.
pub(crate) async fn read_body(request: Request, most: usize) -> Result<bytes::Bytes> {
    let body = Limited::new(request.into_body(), most);
    Ok(body.collect().await.map_err(|error| unreadable(error, most))?.to_bytes())
}

/// A value from JSON.
pub(crate) fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    // PostgreSQL takes no NUL in any text; the same answer on both databases.
    if bytes.windows(6).any(|window| window == br"\u0000") {
        return Err(Error::invalid("a text with the character NUL cannot be kept"));
    }
    serde_json::from_slice(bytes).map_err(refused)
}

#[expect(clippy::needless_pass_by_value, reason = "the form that `map_err` takes")]
fn unreadable(error: Box<dyn std::error::Error + Send + Sync>, most: usize) -> Error {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&*error);
    while let Some(current) = cause {
        if current.is::<LengthLimitError>() {
            return Error::new(Code::BodyTooLarge, format!("the body is larger than {} KiB", most / 1024))
                .hint("send less at once");
        }
        cause = current.source();
    }
    Error::new(Code::MalformedRequest, "the body could not be read to its end")
}

fn refused(error: serde_json::Error) -> Error {
    match error.classify() {
        serde_json::error::Category::Data => Error::invalid(error),
        _ => Error::new(Code::MalformedRequest, format!("the body is not JSON: {error}")),
    }
}

/// The query of a list.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let query = AxumQuery::from_request_parts(parts, state).await;
        query.map(|AxumQuery(value)| Self(value)).map_err(|error| Error::new(Code::MalformedRequest, error.body_text()))
    }
}

/// The names in the path. What cannot be a name of anything here is not found.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let path = AxumPath::from_request_parts(parts, state).await;
        path.map(|AxumPath(value)| Self(value)).map_err(|_| Error::new(Code::NotFound, "there is no such thing here"))
    }
}
