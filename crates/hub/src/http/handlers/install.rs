//! Install script and `hostler` binary, for machines that have only a shell.

use axum::{
    Extension,
    body::Body as HttpBody,
    http::header,
    response::{IntoResponse as _, Response},
};
use serde::Deserialize;
use tokio::{fs::File, io::AsyncReadExt as _};

use crate::http::{
    extract::{Ctx, Path},
    handlers::runner::encrypted,
    request_meta::RequestMeta,
};
use crate::{Error, Result};

/// Bytes per chunk of the download.
const PIECE: usize = 64 * 1024;

#[derive(Deserialize)]
pub(crate) struct InvitePath {
    token: String,
}

#[derive(Deserialize)]
pub(crate) struct ProgramPath {
    sha256: String,
}

/// Get a shell script that installs Hostler and joins the machine as a host.
#[utoipa::path(get, path = "/j/{token}", tag = "runner", params(("token" = String, Path, description = "A join token")), responses((status = 200, description = "A shell script", body = String, content_type = "text/plain")))]
pub(crate) async fn install_script(
    cx: Ctx,
    Extension(seen): Extension<RequestMeta>,
    Path(at): Path<InvitePath>,
) -> Result<Response> {
    encrypted(&seen)?;
    let script = cx.hub.install_script(&cx.by, &at.token).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], script).into_response())
}

/// Download the `hostler` binary, which is hub, runner and CLI. Needs no credential.
#[utoipa::path(get, path = "/j/program/{sha256}", tag = "runner", params(("sha256" = String, Path, description = "The checksum of the binary, from the install script")), responses((status = 200, description = "The binary", body = String, content_type = "application/octet-stream")))]
pub(crate) async fn install_program(
    cx: Ctx,
    Extension(seen): Extension<RequestMeta>,
    Path(at): Path<ProgramPath>,
) -> Result<Response> {
    encrypted(&seen)?;
    let path = cx.hub.install_program(&at.sha256).await?;
    let file = File::open(&path).await.map_err(Error::internal)?;
    let length = file.metadata().await.map_err(Error::internal)?.len();
    let pieces = futures_util::stream::try_unfold(file, |mut file| async move {
        let mut piece = vec![0; PIECE];
        let count = file.read(&mut piece).await?;
        piece.truncate(count);
        Ok::<_, std::io::Error>((count > 0).then_some((piece, file)))
    });
    let headers =
        [(header::CONTENT_TYPE, "application/octet-stream".to_owned()), (header::CONTENT_LENGTH, length.to_string())];
    Ok((headers, HttpBody::from_stream(pieces)).into_response())
}
