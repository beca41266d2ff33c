//! A request over a plain connection, with nothing between the caller and the bytes.

use std::io;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::channel::{ANSWER_TIME_MAX, Transport};

/// Sends a request with a JSON body and returns status and body of the response; a body that is not JSON becomes null.
///
/// # Errors
/// The connection broke, or there was no response in time.
pub async fn request(
    mut stream: impl Transport,
    authority: &str,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> io::Result<(u16, Value)> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {authority}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    let mut answer = Vec::new();
    tokio::time::timeout(ANSWER_TIME_MAX, stream.read_to_end(&mut answer)).await.map_err(io::Error::other)??;
    let text = String::from_utf8_lossy(&answer);
    let status = text.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    // Bodies of known length only: the routes that the attacker uses answer with one JSON object.
    let json = text.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str(body).ok());
    Ok((status, json.unwrap_or(Value::Null)))
}
