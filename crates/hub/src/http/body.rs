//! What callers send: bodies, queries and paths, each refused with a sentence.

use axum::{
    extract::{FromRequest, FromRequestParts, Path, Query, Request},
    http::request::Parts,
};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use proto::Code;
use serde::de::DeserializeOwned;

use crate::{Error, Result};

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
pub(super) async fn read_body(request: Request, most: usize) -> Result<bytes::Bytes> {
    let body = Limited::new(request.into_body(), most);
    Ok(body.collect().await.map_err(|error| unreadable(error, most))?.to_bytes())
}

/// A value from JSON.
pub(super) fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
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
pub struct Ask<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Ask<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let query = Query::from_request_parts(parts, state).await;
        query.map(|Query(value)| Self(value)).map_err(|error| Error::new(Code::MalformedRequest, error.body_text()))
    }
}

/// The names in the path. What cannot be a name of anything here is not found.
pub struct At<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for At<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let path = Path::from_request_parts(parts, state).await;
        path.map(|Path(value)| Self(value)).map_err(|_| Error::new(Code::NotFound, "there is no such thing here"))
    }
}
