//! The channels over HTTP: the request of each kind, and sending it.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use domain::{
    Channel, Timestamp,
    channel::{check_url, ntfy_topic, webhook_key},
};
use reqwest::{
    Client, Response, StatusCode,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER},
};
use serde_json::{Value, json};
use url::Url;

use crate::{
    Notice, NoticeState, Sender,
    failure::{Failure, Limit, cause, response_line},
    notice::{clip, one_line},
    signature,
};

/// Bytes read of a response. Error texts of receivers fit; an endless body must not fill the hub's memory.
const ANSWER_BYTES_MAX: usize = 4 * 1024;
/// Discord rejects longer titles.
const DISCORD_TITLE_MAX: usize = 256;
/// Slack rejects longer headers.
const SLACK_HEADER_MAX: usize = 150;
/// Slack rejects longer sections.
const SLACK_SECTION_MAX: usize = 3_000;
/// ntfy turns a longer message into an attachment.
const NTFY_MESSAGE_BYTES_MAX: usize = 4_000;

/// An HTTP request to a receiver.
pub(crate) struct Call {
    url: Url,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// Builds the request of a channel for a notification.
pub(crate) fn call(channel: &Channel, notice: &Notice, text: &str, now: Timestamp) -> Result<Call, Failure> {
    let url = |text: &str| check_url("url", text).map_err(|bad| Failure::permanent(bad.to_string()));
    match channel {
        Channel::Webhook { url: to, secret } => {
            let key =
                webhook_key(secret.reveal()).ok_or_else(|| Failure::permanent("the webhook secret is invalid"))?;
            let body = notice.to_event(text).to_string().into_bytes();
            let seconds = now.as_micros().div_euclid(1_000_000).to_string();
            let signature = signature::sign(&key, &notice.id, &seconds, &body);
            let signed =
                [("webhook-id", &notice.id), ("webhook-timestamp", &seconds), ("webhook-signature", &signature)];
            let mut headers = HeaderMap::new();
            for (name, value) in signed {
                headers.insert(HeaderName::from_static(name), header(value)?);
            }
            Ok(Call { url: url(to)?, headers, body })
        }
        Channel::Discord { url: to } => {
            let mut to = url(to.reveal())?;
            // Without it Discord returns success before it has checked the message.
            if !to.query_pairs().any(|(name, _)| name == "wait") {
                to.query_pairs_mut().append_pair("wait", "true");
            }
            Ok(Call::json(to, &discord(notice, text)))
        }
        Channel::Slack { url: to } => Ok(Call::json(url(to.reveal())?, &slack(notice, text))),
        Channel::Ntfy { url: to, token, priority } => {
            let to = url(to)?;
            let topic =
                ntfy_topic(&to).ok_or_else(|| Failure::permanent("the ntfy address does not end with a topic"))?;
            let message = ntfy(topic, notice, text, *priority);
            let mut server = to.clone();
            server.set_query(None);
            server.path_segments_mut().map_err(|()| Failure::permanent("the ntfy address has no path"))?.pop();
            let mut call = Call::json(server, &message);
            if let Some(token) = token {
                let mut value = header(&format!("Bearer {}", token.reveal()))?;
                value.set_sensitive(true);
                call.headers.insert(AUTHORIZATION, value);
            }
            Ok(call)
        }
        Channel::Email(_) | Channel::Command { .. } => Err(Failure::permanent("this channel does not use HTTP")),
    }
}

impl Call {
    fn json(url: Url, body: &Value) -> Self {
        Self { url, headers: HeaderMap::new(), body: body.to_string().into_bytes() }
    }
}

fn header(text: &str) -> Result<HeaderValue, Failure> {
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    match HeaderValue::from_str(text) {
        Ok(value) if is_plain => Ok(value),
        _ => Err(Failure::permanent("a header value contains line breaks or non-ASCII characters")),
    }
}

fn discord(notice: &Notice, text: &str) -> Value {
    let mut embed = json!({
        "title": one_line(&notice.title, DISCORD_TITLE_MAX),
        "description": text,
        "color": colour(notice),
        "timestamp": notice.at,
        "footer": { "text": one_line(&format!("{} · {}", notice.org, notice.kind), DISCORD_TITLE_MAX) },
    });
    if let Some(link) = link(notice) {
        embed["url"] = link.into();
    }
    // Names in the text, such as `@everyone`, must not notify anyone.
    json!({ "embeds": [embed], "allowed_mentions": { "parse": [] } })
}

fn colour(notice: &Notice) -> u32 {
    match (notice.state, notice.severity.as_str()) {
        (NoticeState::Resolved, _) => 0x2e_cc71,
        (_, "critical") => 0xe7_4c3c,
        (_, "warning") => 0xf1_c40f,
        _ => 0x34_98db,
    }
}

fn slack(notice: &Notice, text: &str) -> Value {
    let title = one_line(&notice.title, SLACK_HEADER_MAX);
    let mut blocks = vec![
        json!({ "type": "header", "text": { "type": "plain_text", "text": title, "emoji": false } }),
        json!({ "type": "section", "text": { "type": "mrkdwn", "text": escaped(text, SLACK_SECTION_MAX) } }),
    ];
    let mut context = escaped(&one_line(&format!("{} · {}", notice.org, notice.kind), 300), 600);
    if let Some(link) = link(notice) {
        context.push_str(&format!(" · <{}|open>", escaped(&link, 2_000).replace('|', "%7C")));
    }
    blocks.push(json!({ "type": "context", "elements": [{ "type": "mrkdwn", "text": context }] }));
    json!({ "text": escaped(&title, SLACK_SECTION_MAX), "blocks": blocks })
}

/// Escapes a text, so that Slack finds no mentions or links in it. `max` counts the escaped characters, as Slack does.
fn escaped(text: &str, max: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    for c in text.chars() {
        let one = match c {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            _ => c.to_string(),
        };
        length += one.chars().count();
        if length >= max {
            out.push('…');
            break;
        }
        out.push_str(&one);
    }
    out
}

/// The message as JSON. ntfy also accepts headers, but these are limited to ASCII.
fn ntfy(topic: &str, notice: &Notice, text: &str, priority: Option<u8>) -> Value {
    let by_severity = match (notice.state, notice.severity.as_str()) {
        (NoticeState::Resolved, _) => 3,
        (_, "critical") => 5,
        (_, "warning") => 4,
        _ => 3,
    };
    let tag = match (notice.state, notice.severity.as_str()) {
        (NoticeState::Resolved, _) => "white_check_mark",
        (_, "critical") => "rotating_light",
        (_, "warning") => "warning",
        _ => "information_source",
    };
    let mut message = json!({
        "topic": topic,
        "title": one_line(&notice.title, 250),
        "message": clip_bytes(text, NTFY_MESSAGE_BYTES_MAX),
        "priority": priority.unwrap_or(by_severity),
        "tags": [tag, clip(&notice.kind, 40)],
    });
    if let Some(link) = link(notice) {
        message["click"] = link.into();
    }
    message
}

fn clip_bytes(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(max - '…'.len_utf8())])
}

/// The link of a notification, if it is an HTTP address.
fn link(notice: &Notice) -> Option<String> {
    notice.url.as_deref().and_then(|text| check_url("url", text).ok()).map(String::from)
}

/// Sends a request, only to the checked addresses of its host. Redirects are not followed: they could lead to an
/// address that was not checked.
pub(crate) async fn send(sender: &Sender, call: Call, limit: Limit) -> Result<String, Failure> {
    let target = call.url.host_str().unwrap_or_default().to_owned();
    let mut response = limit.cut(&target, Box::pin(answer(sender, call, &target))).await?;
    let mut body = Vec::new();
    // The status decides. A slow or endless body does not change the result.
    let _ = tokio::time::timeout_at(limit.at, read(&mut response, &mut body)).await;
    let (status, words) = (response.status(), response_line(&body));
    let answered = if words.is_empty() { status.to_string() } else { format!("{status}: {words}") };
    if status.is_success() {
        return Ok(answered);
    }
    if status.is_redirection() {
        let text = format!("`{target}` answered {status}; redirects are not followed, so enter the final address");
        return Err(Failure::permanent(text));
    }
    let text = format!("`{target}` answered {answered}");
    Err(match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            Failure::temporary(text).after(retry_after(response.headers(), (sender.clock)()))
        }
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY => Failure::temporary(text),
        status if status.is_client_error() => Failure::permanent(text),
        _ => Failure::temporary(text),
    })
}

async fn answer(sender: &Sender, call: Call, target: &str) -> Result<Response, Failure> {
    let port = call.url.port_or_known_default().unwrap_or(443);
    let addresses = sender
        .guard
        .resolve(target, port)
        .await
        .map_err(|refused| Failure { is_final: refused.is_final(), ..Failure::temporary(refused.to_string()) })?;
    let client = Client::builder()
        .tls_backend_preconfigured((*sender.tls).clone())
        .dns_resolver(Arc::new(Pinned(addresses)))
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .pool_max_idle_per_host(0)
        .http1_only()
        .user_agent("hostler")
        .build()
        .map_err(|error| Failure::temporary(format!("cannot set up the HTTP client: {}", cause(&error))))?;
    let request = client.post(call.url).headers(call.headers).header(CONTENT_TYPE, "application/json").body(call.body);
    let sent = request.send().await;
    sent.map_err(|error| Failure::temporary(format!("cannot reach `{target}`: {}", cause(&error.without_url()))))
}

async fn read(response: &mut Response, body: &mut Vec<u8>) {
    while body.len() < ANSWER_BYTES_MAX
        && let Ok(Some(chunk)) = response.chunk().await
    {
        let room = ANSWER_BYTES_MAX - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
}

fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    // Discord sends decimal numbers.
    if let Some(seconds) = text.parse::<f64>().ok().filter(|seconds| (0.0..1e9).contains(seconds)) {
        return Some(Duration::from_secs_f64(seconds));
    }
    let then = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(then.saturating_sub(Duration::from_micros(now.as_micros().try_into().ok()?)))
}

/// A DNS resolver that always returns the checked addresses.
struct Pinned(Vec<SocketAddr>);

impl Resolve for Pinned {
    fn resolve(&self, _name: Name) -> Resolving {
        let addresses: Addrs = Box::new(self.0.clone().into_iter());
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notice::sample;

    #[test]
    fn slack_markup_is_escaped() {
        assert_eq!(escaped("<!channel> a & b", 100), "&lt;!channel&gt; a &amp; b");
        assert_eq!(escaped("ab<", 5), "ab…", "an escape sequence is never cut in two");
        let body = slack(&sample(), &"<".repeat(4_000));
        let section = body["blocks"][1]["text"]["text"].as_str().expect("a text");
        assert!(section.chars().count() <= SLACK_SECTION_MAX && section.ends_with("&lt;…"));
    }

    #[test]
    fn messages_respect_the_limits_of_each_service() {
        let notice = Notice { title: "t\n".repeat(400), url: Some("javascript:alert(1)".to_owned()), ..sample() };
        let body = discord(&notice, &"ä".repeat(4_000));
        assert_eq!(body["embeds"][0]["title"].as_str().map(|title| title.chars().count()), Some(DISCORD_TITLE_MAX));
        assert_eq!(body["embeds"][0]["url"], Value::Null);
        assert_eq!(body["allowed_mentions"], json!({ "parse": [] }));
        let message = ntfy("topic", &notice, &"ä".repeat(4_000), None);
        assert!(
            message["message"]
                .as_str()
                .is_some_and(|text| text.len() <= NTFY_MESSAGE_BYTES_MAX && text.ends_with("ä…"))
        );
        assert_eq!((&message["priority"], &message["click"]), (&json!(5), &Value::Null));
    }

    #[test]
    fn header_values_with_line_breaks_are_rejected() {
        for wrong in ["a\r\nb", "ä", "a\tb"] {
            assert!(header(wrong).expect_err(wrong).is_final);
        }
    }

    #[test]
    fn retry_after_header_is_parsed() {
        let now = Timestamp::from_micros(784_111_777 * 1_000_000);
        for (text, seconds) in [
            ("120", Some(120.0)),
            ("0.5", Some(0.5)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", Some(60.0)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0.0)),
            ("-1", None),
            ("NaN", None),
            ("soon", None),
        ] {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(text))]);
            assert_eq!(retry_after(&headers, now).map(|wait| wait.as_secs_f64()), seconds, "{text}");
        }
    }
}
