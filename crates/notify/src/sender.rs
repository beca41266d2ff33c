//! Sends one notice through one channel, once, within a time.

use std::{ffi::OsString, fmt, future::Future, sync::Arc, time::Duration};

use domain::{Channel, Timestamp, channel::MASK};
use rustls::{ClientConfig, RootCertStore, pki_types::CertificateDer};
use tokio::time::Instant;

use crate::{
    AddressGuard, Allowed, Notice, command, http, mail,
    notice::one_line,
    text::{self, BadTemplate},
};

/// How long one try may take, from the first look at the name to the last word of the answer.
const TIME_MAX: Duration = Duration::from_secs(10);
/// The longest wait that we let a receiver ask for.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(60 * 60);
/// How much of what the other side said is kept.
const SAID_LENGTH_MAX: usize = 200;
/// Where commands are looked for unless told otherwise.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// A notice that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// How long it took.
    pub took: Duration,
    /// What the other side said, in a few words.
    pub answer: String,
    /// What was wrong with the template, if the default text was sent.
    pub fell_back: Option<BadTemplate>,
}

/// A notice that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Failure {
    /// What happened, for people. Holds no secret of the channel.
    pub text: String,
    /// Whether it will not get better by itself: trying again is of no use before somebody changes something.
    pub is_final: bool,
    /// How long the other side asked us to wait.
    pub retry_after: Option<Duration>,
}

impl Failure {
    /// One that may be gone at the next try.
    pub(crate) fn passing(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_final: false, retry_after: None }
    }

    /// One that stays until somebody changes something.
    pub(crate) fn lasting(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_final: true, retry_after: None }
    }

    /// The same with the wait that the other side asked for.
    pub(crate) fn after(self, wait: Option<Duration>) -> Self {
        Self { retry_after: wait.map(|wait| wait.min(RETRY_AFTER_MAX)), ..self }
    }
}

/// What time it is, as the hub has it.
pub(crate) type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Sends notices. Built once; one can send many at a time.
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

/// What a sender is made of.
pub struct SenderBuilder {
    allowed: Allowed,
    clock: Clock,
    roots: Vec<CertificateDer<'static>>,
    path: OsString,
    time_max: Duration,
}

/// TLS could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("TLS for notices cannot be set up: {0}")]
pub struct NoTls(#[from] rustls::Error);

impl SenderBuilder {
    /// Networks that may be called although they are not public.
    #[must_use]
    pub fn allow(self, allowed: Allowed) -> Self {
        Self { allowed, ..self }
    }

    /// Trusts one more authority beside those of the system, by its certificate in DER.
    #[must_use]
    pub fn trust(mut self, certificate: Vec<u8>) -> Self {
        self.roots.push(CertificateDer::from(certificate));
        self
    }

    /// Where commands are looked for: the `PATH` they get.
    #[must_use]
    pub fn path(self, path: impl Into<OsString>) -> Self {
        Self { path: path.into(), ..self }
    }

    /// How long one try may take.
    #[must_use]
    pub fn time_max(self, time_max: Duration) -> Self {
        Self { time_max, ..self }
    }

    /// The sender. Reads the system's certificate authorities.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn build(self) -> Result<Sender, NoTls> {
        let mut store = RootCertStore::empty();
        let mut roots = self.roots;
        roots.extend(rustls_native_certs::load_native_certs().certs);
        // Some systems trust what nobody can read any more.
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
    /// Begins a sender that asks `clock` for the time.
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

    /// Sends a notice through a channel, in the words of a template.
    ///
    /// # Errors
    /// It was not taken: why, and whether it is worth trying again.
    pub async fn send(&self, channel: &Channel, notice: &Notice, template: Option<&str>) -> Result<Delivered, Failure> {
        let began = Instant::now();
        let limit = Limit { at: began + self.time_max, length: self.time_max };
        let rendered = text::render(template, notice);
        let sent = match channel.check() {
            Err(bad) => Err(Failure::lasting(format!("the channel cannot be used: {bad}"))),
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

/// When a try ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    /// Then.
    pub(crate) at: Instant,
    /// After so long, for messages.
    length: Duration,
}

impl Limit {
    /// What comes of it in time. Whatever it holds is dropped when the time is over.
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

/// What the other side said, in one short line.
pub(crate) fn said(bytes: &[u8]) -> String {
    one_line(&String::from_utf8_lossy(bytes), SAID_LENGTH_MAX)
}

/// The innermost reason of an error: the outer ones say only that something failed.
pub(crate) fn cause(error: &dyn std::error::Error) -> String {
    let innermost = std::iter::successors(Some(error), |error| error.source()).last();
    one_line(&innermost.map(ToString::to_string).unwrap_or_default(), SAID_LENGTH_MAX)
}

/// The other side may repeat what we sent it.
fn without_secrets(channel: &Channel, text: &str) -> String {
    channel.secrets().iter().fold(text.to_owned(), |text, secret| {
        let path = url::Url::parse(secret).ok().map(|url| url.path().to_owned()).filter(|path| path.len() > 1);
        let text = text.replace(secret, MASK);
        path.map_or(text.clone(), |path| text.replace(&path, MASK))
    })
}
