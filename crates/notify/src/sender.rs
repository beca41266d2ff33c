//! The sender: sends one notice through one channel, once, within a time limit.

use std::{ffi::OsString, fmt, future::Future, sync::Arc, time::Duration};

use domain::{Channel, Timestamp, channel::MASK};
use rustls::{ClientConfig, RootCertStore, pki_types::CertificateDer};
use tokio::time::Instant;

use crate::{
    AddressGuard, Allowed, Notice, command, http, mail,
    notice::one_line,
    text::{self, BadTemplate},
};

/// Time limit for an attempt, from the DNS lookup to the end of the response.
const TIME_MAX: Duration = Duration::from_secs(10);
/// Longest `Retry-After` that is respected.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(60 * 60);
/// Characters kept of a response.
const SAID_LENGTH_MAX: usize = 200;
/// Default `PATH` of commands.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// A delivered notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    pub took: Duration,
    /// The response of the receiver, shortened.
    pub answer: String,
    /// The error of the template, if the default text was sent instead.
    pub fell_back: Option<BadTemplate>,
}

/// A failed delivery.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Failure {
    /// The error for people, without secrets of the channel.
    pub text: String,
    /// Whether a retry cannot help until the channel or the receiver is changed.
    pub is_final: bool,
    /// Delay that the receiver asked for.
    pub retry_after: Option<Duration>,
}

impl Failure {
    /// A failure that a retry may solve.
    pub(crate) fn passing(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_final: false, retry_after: None }
    }

    /// A failure that a retry cannot solve.
    pub(crate) fn lasting(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_final: true, retry_after: None }
    }

    /// Adds the delay that the receiver asked for.
    pub(crate) fn after(self, wait: Option<Duration>) -> Self {
        Self { retry_after: wait.map(|wait| wait.min(RETRY_AFTER_MAX)), ..self }
    }
}

/// The clock of the hub.
pub(crate) type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The sender of notices. Built once; sends any number concurrently.
pub struct Sender {
    pub(crate) guard: AddressGuard,
    pub(crate) clock: Clock,
    pub(crate) tls: Arc<ClientConfig>,
    pub(crate) roots: Vec<CertificateDer<'static>>,
    pub(crate) path: OsString,
    time_max: Duration,
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").field("guard", &self.guard).field("time_max", &self.time_max).finish_non_exhaustive()
    }
}

/// The builder of a [`Sender`].
pub struct SenderBuilder {
    allowed: Allowed,
    clock: Clock,
    roots: Vec<CertificateDer<'static>>,
    path: OsString,
    time_max: Duration,
}

/// TLS could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("cannot set up TLS for notices: {0}")]
pub struct NoTls(#[from] rustls::Error);

impl SenderBuilder {
    /// Allows networks that are not public.
    #[must_use]
    pub fn allow(self, allowed: Allowed) -> Self {
        Self { allowed, ..self }
    }

    /// Trusts a further certificate authority, given as a DER certificate.
    #[must_use]
    pub fn trust(mut self, certificate: Vec<u8>) -> Self {
        self.roots.push(CertificateDer::from(certificate));
        self
    }

    /// Sets the `PATH` of commands.
    #[must_use]
    pub fn path(self, path: impl Into<OsString>) -> Self {
        Self { path: path.into(), ..self }
    }

    /// Sets the time limit for an attempt.
    #[must_use]
    pub fn time_max(self, time_max: Duration) -> Self {
        Self { time_max, ..self }
    }

    /// Builds the sender and reads the system's certificate authorities.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn build(self) -> Result<Sender, NoTls> {
        let mut store = RootCertStore::empty();
        let mut roots = self.roots;
        roots.extend(rustls_native_certs::load_native_certs().certs);
        // Skip system certificates that cannot be parsed.
        roots.retain(|root| store.add(root.clone()).is_ok());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(store)
            .with_no_client_auth();
        Ok(Sender {
            guard: AddressGuard::new(self.allowed),
            clock: self.clock,
            tls: Arc::new(tls),
            roots,
            path: self.path,
            time_max: self.time_max,
        })
    }
}

impl Sender {
    /// A builder for a sender with this clock.
    #[must_use]
    pub fn builder(clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> SenderBuilder {
        SenderBuilder {
            allowed: Allowed::default(),
            clock: Arc::new(clock),
            roots: Vec::new(),
            path: PATH.into(),
            time_max: TIME_MAX,
        }
    }

    /// Sends a notice through a channel, with the text of a template.
    ///
    /// # Errors
    /// The delivery failed.
    pub async fn send(&self, channel: &Channel, notice: &Notice, template: Option<&str>) -> Result<Delivered, Failure> {
        let began = Instant::now();
        let limit = Limit { at: began + self.time_max, length: self.time_max };
        let rendered = text::render(template, notice);
        let sent = match channel.check() {
            Err(bad) => Err(Failure::lasting(format!("invalid channel: {bad}"))),
            Ok(()) => Box::pin(self.through(channel, notice, &rendered.text, limit)).await,
        };
        match sent {
            Ok(answer) => Ok(Delivered {
                took: began.elapsed(),
                answer: without_secrets(channel, &answer),
                fell_back: rendered.fell_back,
            }),
            Err(failure) => Err(Failure { text: without_secrets(channel, &failure.text), ..failure }),
        }
    }

    async fn through(&self, channel: &Channel, notice: &Notice, text: &str, limit: Limit) -> Result<String, Failure> {
        match channel {
            Channel::Webhook { .. } | Channel::Discord { .. } | Channel::Slack { .. } | Channel::Ntfy { .. } => {
                http::send(self, http::call(channel, notice, text, (self.clock)())?, limit).await
            }
            Channel::Email(email) => limit.cut(&email.host, mail::send(self, email, notice, text)).await,
            Channel::Command { argv } => {
                limit.cut(&channel.target(), command::run(argv, &self.path, notice, text)).await
            }
        }
    }
}

/// The time limit of an attempt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) at: Instant,
    /// Duration of the limit, for messages.
    length: Duration,
}

impl Limit {
    /// Runs `work` until the limit, then drops it.
    pub(crate) async fn cut<T>(
        self,
        target: &str,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        tokio::time::timeout_at(self.at, work).await.unwrap_or_else(|_| {
            let seconds = self.length.as_secs_f64();
            Err(Failure::passing(format!("`{target}` did not finish within {seconds} s")))
        })
    }
}

/// A response as one short line.
pub(crate) fn said(bytes: &[u8]) -> String {
    one_line(&String::from_utf8_lossy(bytes), SAID_LENGTH_MAX)
}

/// The innermost cause of an error; the outer ones only state that the request failed.
pub(crate) fn cause(error: &dyn std::error::Error) -> String {
    let innermost = std::iter::successors(Some(error), |error| error.source()).last();
    one_line(&innermost.map(ToString::to_string).unwrap_or_default(), SAID_LENGTH_MAX)
}

/// Masks the channel's secrets in a response, which may repeat the request.
fn without_secrets(channel: &Channel, text: &str) -> String {
    channel.secrets().iter().fold(text.to_owned(), |text, secret| {
        let path = url::Url::parse(secret).ok().map(|url| url.path().to_owned()).filter(|path| path.len() > 1);
        let text = text.replace(secret, MASK);
        path.map_or(text.clone(), |path| text.replace(&path, MASK))
    })
}
