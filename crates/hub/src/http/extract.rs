//! Extractors of handlers: the caller's context, and path, query and body of the request.

use axum::{
    extract::{
        FromRequest, FromRequestParts, Path as AxumPath, Query as AxumQuery, Request, rejection::QueryRejection,
    },
    http::request::Parts,
};
use domain::{HostId, OrgId, SessionId};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use proto::Code;
use serde::de::DeserializeOwned;
use store::socket_credential::SocketCredential;

use crate::{Error, Hub, Result, app::RequestContext};

/// Context of an authorized request. Only `auth::authorise` creates one.
#[derive(Clone)]
pub struct Ctx {
    pub hub: Hub,
    pub by: RequestContext,
    /// Set if the caller is identified by a browser session.
    pub session: Option<SessionId>,
    /// Credential that a live socket of this caller depends on.
    pub credential: Option<SocketCredential>,
    /// Set on routes for runners.
    pub host: Option<HostId>,
    /// Whether the response is safe from readers on the network.
    pub is_confidential: bool,
}

impl Ctx {
    /// The org of the request.
    ///
    /// # Errors
    /// The route has no org, which is a bug.
    pub fn org(&self) -> Result<OrgId, Error> {
        self.by
            .caller
            .org
            .ok_or_else(|| Error::internal(anyhow::anyhow!("a handler read the org on a route without one")))
    }
}

impl<S: Sync> FromRequestParts<S> for Ctx {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        // Absent only if a route was mounted without authorization, which `Routes` does not allow. Fail closed.
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| Error::internal(anyhow::anyhow!("a route was mounted without authorization")))
    }
}

/// Maximum size of a request body, in bytes; uploads have their own limits.
pub const BODY_MAX: usize = 1024 * 1024;

/// A JSON body. An empty body is read as `{}`.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let bytes = read_body(request, BODY_MAX).await?;
        let bytes = if bytes.is_empty() { bytes::Bytes::from_static(b"{}") } else { bytes };
        read_json(&bytes).map(Body)
    }
}

/// Reads the whole body; fails if it is longer than `most` bytes.
pub(crate) async fn read_body(request: Request, most: usize) -> Result<bytes::Bytes> {
    let body = Limited::new(request.into_body(), most);
    Ok(body.collect().await.map_err(|error| unreadable(error, most))?.to_bytes())
}

/// Parses JSON.
pub(crate) fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    // PostgreSQL rejects NUL in text. Reject it here, so that both databases give the same error.
    if bytes.windows(6).any(|window| window == br"\u0000") {
        return Err(Error::invalid("a text contains the character NUL, which cannot be stored"));
    }
    serde_json::from_slice(bytes).map_err(|error| refused(&error))
}

#[expect(clippy::needless_pass_by_value, reason = "the form that `map_err` takes")]
fn unreadable(error: Box<dyn std::error::Error + Send + Sync>, most: usize) -> Error {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&*error);
    while let Some(current) = cause {
        if current.is::<LengthLimitError>() {
            return Error::new(Code::BodyTooLarge, format!("the body is larger than {} KiB", most / 1024))
                .hint("split the request");
        }
        cause = current.source();
    }
    Error::new(Code::MalformedRequest, "the connection failed while the body was read")
}

fn refused(error: &serde_json::Error) -> Error {
    match error.classify() {
        serde_json::error::Category::Data => Error::invalid(format!("invalid request body: {error}")),
        _ => Error::new(Code::MalformedRequest, format!("the body is not JSON: {error}")),
    }
}

fn bad_query(error: &QueryRejection) -> Error {
    // Only the cause names the parameter; the rejection itself says that the query string is invalid.
    let cause = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    Error::new(Code::MalformedRequest, format!("invalid query parameter: {cause}"))
        .hint("/openapi.json lists the parameters")
}

/// Query parameters.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let query = AxumQuery::from_request_parts(parts, state).await;
        query.map(|AxumQuery(value)| Self(value)).map_err(|error| bad_query(&error))
    }
}

/// Path parameters. A parameter that cannot be parsed is `not_found`: no such thing can exist.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let path = AxumPath::from_request_parts(parts, state).await;
        path.map(|AxumPath(value)| Self(value)).map_err(|_| {
            let detail = format!("the path {} contains an invalid name or id", parts.uri.path());
            Error::new(Code::NotFound, detail)
        })
    }
}
