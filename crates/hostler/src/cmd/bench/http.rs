//! A minimal HTTP client that creates jobs one after the other, so that the hub dominates the measurement.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Request,
    client::conn::http1::{SendRequest, handshake},
    header,
};
use hyper_util::rt::TokioIo;
use runtime::TaskTracker;
use tokio::net::TcpStream;

use crate::fail::Result;

use super::figures::failed;

/// A persistent connection and the request it repeats.
pub(super) struct HttpCaller {
    connection: SendRequest<Full<Bytes>>,
    address: SocketAddr,
    bearer: String,
    body: Bytes,
}

impl HttpCaller {
    pub(super) async fn connect(address: SocketAddr, token: &str, body: Bytes, tasks: &TaskTracker) -> Result<Self> {
        let stream = TcpStream::connect(address).await.map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        let (connection, driver) = handshake(TokioIo::new(stream)).await.map_err(failed)?;
        tasks.spawn(async move {
            let _ = driver.await;
        });
        Ok(Self { connection, address, bearer: format!("Bearer {token}"), body })
    }

    /// Creates one job and reads the whole response.
    pub(super) async fn create_job(&mut self) -> Result<()> {
        let request = Request::post("/api/v1/jobs")
            .header(header::HOST, self.address.to_string())
            .header(header::AUTHORIZATION, &self.bearer)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(self.body.clone()))
            .map_err(failed)?;
        self.connection.ready().await.map_err(failed)?;
        let answer = self.connection.send_request(request).await.map_err(failed)?;
        let status = answer.status();
        let body = answer.into_body().collect().await.map_err(failed)?.to_bytes();
        if status.is_success() { Ok(()) } else { Err(failed(String::from_utf8_lossy(&body))) }
    }
}
