//! The sender: sends one notification through one channel, once, within a time limit.

use std::{ffi::OsString, fmt, sync::Arc, time::Duration};

use domain::{Channel, Timestamp, channel::MASK};
use rustls::{ClientConfig, RootCertStore, pki_types::CertificateDer};
use tokio::time::Instant;

use crate::{
    AddressGuard, Allowed, Notice, command,
    failure::{Failure, Limit},
    http, mail,
    text::{self, BadTemplate},
};

/// Time limit for an attempt, from the DNS lookup to the end of the response.
const TIME_MAX: Duration = Duration::from_secs(10);

/// Default `PATH` of commands.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// A delivered notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    pub took: Duration,
    /// The response of the receiver, shortened.
    pub answer: String,
    /// The error of the template, if the default text was sent instead.
    pub fell_back: Option<BadTemplate>,
}

/// The clock of the hub.
pub(crate) type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The sender of notifications. Built once; sends any number concurrently.
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
#[error("cannot set up TLS for notifications: {0}")]
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

    /// Sends a notification through a channel, with the text of a template.
    ///
    /// # Errors
    /// The delivery failed.
    pub async fn send(&self, channel: &Channel, notice: &Notice, template: Option<&str>) -> Result<Delivered, Failure> {
        let began = Instant::now();
        let limit = Limit { at: began + self.time_max, length: self.time_max };
        let rendered = text::render(template, notice);
        let sent = match channel.check() {
            Err(bad) => Err(Failure::permanent(format!("invalid channel: {bad}"))),
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

/// Masks the channel's secrets in a response, which may repeat the request.
fn without_secrets(channel: &Channel, text: &str) -> String {
    channel.secrets().iter().fold(text.to_owned(), |text, secret| {
        let path = url::Url::parse(secret).ok().map(|url| url.path().to_owned()).filter(|path| path.len() > 1);
        let text = text.replace(secret, MASK);
        path.map_or(text.clone(), |path| text.replace(&path, MASK))
    })
}
