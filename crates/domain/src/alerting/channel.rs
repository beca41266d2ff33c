//! Notification channels: settings, masking of their secrets, and validation.
//!
//! The crate `notify` sends notifications and resolves names.

use std::fmt;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// Displayed instead of a secret. In an edit it keeps the stored secret.
pub const MASK: &str = "•••";
/// The longest URL. Discord's have 120 characters; proxies reject URLs from 2,048 on.
pub const URL_LENGTH_MAX: usize = 2_048;
/// The most recipients of one channel; a mailing list has no limit.
pub const RECIPIENTS_MAX: usize = 20;
/// The longest email address with a display name: 254 characters for the address (RFC 5321), the rest for the name.
pub const MAILBOX_LENGTH_MAX: usize = 320;
/// The longest password or token.
pub const PASSWORD_LENGTH_MAX: usize = 512;
/// The most arguments of a command, including the program.
pub const ARGV_WORDS_MAX: usize = 64;
/// The longest argument of a command.
pub const ARGV_WORD_LENGTH_MAX: usize = 4_096;

/// The prefix of a webhook secret, as in Standard Webhooks.
const WEBHOOK_PREFIX: &str = "whsec_";
/// The key lengths that Standard Webhooks allows.
const WEBHOOK_KEY_BYTES: std::ops::RangeInclusive<usize> = 24..=64;

crate::string_enum! {
    /// The kinds of channels.
    pub enum ChannelKind {
        /// A signed request as in Standard Webhooks.
        Webhook = "webhook",
        /// A webhook of a Discord channel.
        Discord = "discord",
        /// An incoming webhook of Slack or of a compatible service such as Mattermost.
        Slack = "slack",
        /// A topic of an ntfy server.
        Ntfy = "ntfy",
        /// E-mail through an SMTP server.
        Email = "email",
        /// A command on the hub's machine.
        Command = "command",
    }
}

crate::string_enum! {
    /// The encryption of the connection to a mail server.
    pub enum MailSecurity {
        /// Plain text first, then TLS is required (port 587).
        Starttls = "starttls",
        /// TLS from the first byte (port 465).
        Tls = "tls",
        /// No encryption (port 25): for a server on the same machine or network.
        None = "none",
    }
}

/// A secret text: `Debug` prints a mask. JSON contains the text itself, so mask it before showing it.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Redacted(String);

impl Redacted {
    /// Wraps a secret text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text in clear, for its use.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn mask() -> Self {
        Self(MASK.to_owned())
    }

    fn is_masked(&self) -> bool {
        self.0.contains(MASK)
    }
}

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// The settings of a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Channel {
    /// A signed request as in Standard Webhooks.
    Webhook {
        url: String,
        /// The signing secret: `whsec_` and 24 to 64 bytes in base64.
        secret: Redacted,
    },
    /// A webhook of a Discord channel.
    Discord {
        /// A secret: anyone who has the URL can post to the channel.
        url: Redacted,
    },
    /// An incoming webhook of Slack.
    Slack {
        /// A secret: anyone who has the URL can post to the channel.
        url: Redacted,
    },
    /// A topic of an ntfy server.
    Ntfy {
        /// Server and topic, as in `https://ntfy.sh/my-alerts`.
        url: String,
        /// The access token of a protected topic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<Redacted>,
        /// 1 to 5; derived from the severity if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        priority: Option<u8>,
    },
    Email(Email),
    /// A command on the hub's machine.
    Command {
        /// The program and its arguments; no shell is used.
        argv: Vec<String>,
    },
}

/// The settings of an email channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Email {
    /// The host name or IP address of the SMTP server.
    pub host: String,
    pub port: u16,
    pub security: MailSecurity,
    /// The user name; no authentication if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Redacted>,
    /// The sender, as in `Hostler <alerts@example.org>`.
    pub from: String,
    /// The recipients.
    pub to: Vec<String>,
}

/// Why a channel is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` {why}")]
pub struct BadChannel {
    /// The invalid field.
    pub field: &'static str,
    /// The problem and the fix. Never contains a secret.
    pub why: String,
}

impl BadChannel {
    fn new(field: &'static str, why: impl Into<String>) -> Self {
        Self { field, why: why.into() }
    }
}

impl Channel {
    /// The kind of the channel.
    #[must_use]
    pub const fn kind(&self) -> ChannelKind {
        match self {
            Self::Webhook { .. } => ChannelKind::Webhook,
            Self::Discord { .. } => ChannelKind::Discord,
            Self::Slack { .. } => ChannelKind::Slack,
            Self::Ntfy { .. } => ChannelKind::Ntfy,
            Self::Email(_) => ChannelKind::Email,
            Self::Command { .. } => ChannelKind::Command,
        }
    }

    /// Whether only a super admin may create or change the channel: its command runs on the hub's machine.
    #[must_use]
    pub const fn needs_super_admin(&self) -> bool {
        matches!(self, Self::Command { .. })
    }

    /// The destination without secrets: a host, the first recipient, or a program.
    #[must_use]
    pub fn target(&self) -> String {
        match self {
            Self::Webhook { url, .. } | Self::Ntfy { url, .. } => host_of(url),
            Self::Discord { url } | Self::Slack { url } => host_of(url.reveal()),
            Self::Email(email) => email.to.first().cloned().unwrap_or_default(),
            Self::Command { argv } => argv.first().cloned().unwrap_or_default(),
        }
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn check(&self) -> Result<(), BadChannel> {
        match self {
            Self::Webhook { url, secret } => {
                check_url("url", url)?;
                check_typed("secret", secret)?;
                webhook_key(secret.reveal()).map(drop).ok_or_else(|| {
                    BadChannel::new("secret", "is not a Standard Webhooks secret (whsec_ and 24 to 64 bytes in base64)")
                })
            }
            Self::Discord { url } | Self::Slack { url } => {
                check_typed("url", url)?;
                check_url("url", url.reveal()).map(drop)
            }
            Self::Ntfy { url, token, priority } => {
                let url = check_url("url", url)?;
                ntfy_topic(&url).ok_or_else(|| {
                    BadChannel::new("url", "does not end with a topic (write https://ntfy.sh/my-alerts)")
                })?;
                token.as_ref().map_or(Ok(()), |token| check_password("token", token))?;
                match priority {
                    Some(priority) if !(1..=5).contains(priority) => {
                        Err(BadChannel::new("priority", "must be between 1 (lowest) and 5 (highest)"))
                    }
                    _ => Ok(()),
                }
            }
            Self::Email(email) => email.check(),
            Self::Command { argv } => check_argv(argv),
        }
    }

    /// The channel's secrets, for redaction.
    #[must_use]
    pub fn secrets(&self) -> Vec<&str> {
        let hidden = match self {
            Self::Webhook { secret, .. } => Some(secret),
            Self::Discord { url } | Self::Slack { url } => Some(url),
            Self::Ntfy { token, .. } => token.as_ref(),
            Self::Email(email) => email.password.as_ref(),
            Self::Command { .. } => None,
        };
        hidden.map(Redacted::reveal).into_iter().collect()
    }

    /// A copy with all secrets masked, for display.
    #[must_use]
    pub fn masked(&self) -> Self {
        let mut masked = self.clone();
        match &mut masked {
            Self::Webhook { secret, .. } => *secret = Redacted::mask(),
            Self::Discord { url } | Self::Slack { url } => *url = mask_url(url),
            Self::Ntfy { token: Some(token), .. } => *token = Redacted::mask(),
            Self::Email(Email { password: Some(password), .. }) => *password = Redacted::mask(),
            Self::Ntfy { .. } | Self::Email(_) | Self::Command { .. } => {}
        }
        masked
    }

    /// This edit of `earlier`, with masked secrets replaced by the stored ones.
    ///
    /// A password or token is kept only if the server stays the same. Otherwise a user who may edit a channel could
    /// have the stored secret sent to a server of their own; `check` then asks for the secret again.
    #[must_use]
    pub fn merged(mut self, earlier: &Self) -> Self {
        match (&mut self, earlier) {
            // The signing secret is never sent, so it is kept for any URL.
            (Self::Webhook { secret, .. }, Self::Webhook { secret: before, .. }) => keep(secret, before),
            (Self::Discord { url }, Self::Discord { url: before })
            | (Self::Slack { url }, Self::Slack { url: before })
                if *url == mask_url(before) || url.reveal() == MASK =>
            {
                *url = before.clone();
            }
            (Self::Ntfy { url, token: Some(token), .. }, Self::Ntfy { url: url_before, token: Some(before), .. })
                if has_same_origin(url, url_before) =>
            {
                keep(token, before)
            }
            (Self::Email(email), Self::Email(before)) if email.has_same_server(before) => {
                if let (Some(password), Some(before)) = (&mut email.password, &before.password) {
                    keep(password, before);
                }
            }
            _ => {}
        }
        self
    }
}

impl Email {
    fn check(&self) -> Result<(), BadChannel> {
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        let is_host = self.host.len() <= 253
            && (bare.parse::<std::net::IpAddr>().is_ok()
                || matches!(Host::parse(&self.host), Ok(Host::Domain(_) | Host::Ipv4(_))));
        if !is_host {
            return Err(BadChannel::new("host", "is not the name of a mail server (write smtp.example.org)"));
        }
        if self.port == 0 {
            return Err(BadChannel::new("port", "is not a port (587 for starttls, 465 for tls, 25 for none)"));
        }
        match (&self.username, &self.password) {
            (None, None) => {}
            (Some(_), None) => return Err(BadChannel::new("password", "is missing, but `username` is set")),
            (None, Some(_)) => return Err(BadChannel::new("username", "is missing, but `password` is set")),
            (Some(_), Some(_)) if self.security == MailSecurity::None => {
                return Err(BadChannel::new("security", "is `none`: a password needs `starttls` or `tls`"));
            }
            (Some(username), Some(password)) => {
                let is_good =
                    (1..=PASSWORD_LENGTH_MAX).contains(&username.len()) && !username.contains(char::is_control);
                if !is_good {
                    return Err(BadChannel::new("username", "is empty, too long or has control characters"));
                }
                check_password("password", password)?;
            }
        }
        check_mailbox("from", &self.from)?;
        if self.to.is_empty() {
            return Err(BadChannel::new("to", "is empty: add at least one recipient"));
        }
        if self.to.len() > RECIPIENTS_MAX {
            return Err(BadChannel::new(
                "to",
                format!("has more than {RECIPIENTS_MAX} recipients; use a mailing list"),
            ));
        }
        self.to.iter().try_for_each(|to| check_mailbox("to", to))
    }

    fn has_same_server(&self, other: &Self) -> bool {
        self.host.eq_ignore_ascii_case(&other.host) && self.port == other.port && self.security == other.security
    }
}

/// The key in a webhook secret; `None` if the text is not a valid secret.
#[must_use]
pub fn webhook_key(secret: &str) -> Option<Vec<u8>> {
    let key = BASE64.decode(secret.strip_prefix(WEBHOOK_PREFIX)?.as_bytes()).ok()?;
    WEBHOOK_KEY_BYTES.contains(&key.len()).then_some(key)
}

/// Creates a webhook secret from random bytes.
#[must_use]
pub fn webhook_secret(random: [u8; 32]) -> String {
    format!("{WEBHOOK_PREFIX}{}", BASE64.encode(&random))
}

/// The topic in the URL of an ntfy channel.
#[must_use]
pub fn ntfy_topic(url: &Url) -> Option<&str> {
    let topic = url.path_segments()?.next_back()?;
    let is_topic =
        (1..=64).contains(&topic.len()) && topic.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    is_topic.then_some(topic)
}

/// Parses the URL of a webhook: http or https, with a host, without a user name.
///
/// # Errors
/// The problem. The error does not repeat the URL, which may be a secret.
pub fn check_url(field: &'static str, text: &str) -> Result<Url, BadChannel> {
    let refuse = |why: &str| BadChannel::new(field, format!("{why} (write https://example.org/hook)"));
    if text.len() > URL_LENGTH_MAX {
        return Err(BadChannel::new(field, format!("is longer than {URL_LENGTH_MAX} characters")));
    }
    // The URL parser silently removes these characters.
    if text.contains(|c: char| c.is_control() || c.is_whitespace()) {
        return Err(refuse("contains spaces or line breaks"));
    }
    let url = Url::parse(text).map_err(|_| refuse("is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refuse("does not begin with http:// or https://"));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(refuse("has no host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refuse("contains a user name"));
    }
    Ok(url)
}

fn check_typed(field: &'static str, hidden: &Redacted) -> Result<(), BadChannel> {
    if hidden.is_masked() {
        return Err(BadChannel::new(field, "is masked: type it again, because no secret is stored for this server"));
    }
    Ok(())
}

fn check_password(field: &'static str, hidden: &Redacted) -> Result<(), BadChannel> {
    check_typed(field, hidden)?;
    let text = hidden.reveal();
    if text.is_empty() || text.len() > PASSWORD_LENGTH_MAX || text.contains(char::is_control) {
        return Err(BadChannel::new(
            field,
            format!("is empty, longer than {PASSWORD_LENGTH_MAX} characters, or has control characters"),
        ));
    }
    Ok(())
}

/// Checks the form `a@b.example` or `Name <a@b.example>`, not whether the mailbox exists.
fn check_mailbox(field: &'static str, text: &str) -> Result<(), BadChannel> {
    let refuse = || {
        let given: String = text.chars().filter(|c| !c.is_control()).take(80).collect();
        BadChannel::new(field, format!("contains `{given}`, which is not an email address (write ann@example.org)"))
    };
    if text.len() > MAILBOX_LENGTH_MAX || text.contains(char::is_control) {
        return Err(refuse());
    }
    let address = match text.split_once('<') {
        Some((name, rest)) if !name.contains([',', ';', '@', '"']) => rest.strip_suffix('>').ok_or_else(refuse)?,
        Some(_) => return Err(refuse()),
        None => text,
    };
    let (local, host) = address.rsplit_once('@').ok_or_else(refuse)?;
    let is_local = (1..=64).contains(&local.len())
        && local.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c))
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..");
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if is_local && host.len() <= 253 && host.split('.').all(is_label) { Ok(()) } else { Err(refuse()) }
}

fn check_argv(argv: &[String]) -> Result<(), BadChannel> {
    let refuse = |why: String| Err(BadChannel::new("argv", why));
    if argv.first().is_none_or(|program| program.trim().is_empty()) {
        return refuse("is empty (write [\"/usr/local/bin/page\", \"--urgent\"])".to_owned());
    }
    if argv.len() > ARGV_WORDS_MAX {
        return refuse(format!("has more than {ARGV_WORDS_MAX} arguments; use a script"));
    }
    if argv.iter().any(|word| word.len() > ARGV_WORD_LENGTH_MAX || word.contains('\0')) {
        return refuse(format!("has an argument with a NUL character or more than {ARGV_WORD_LENGTH_MAX} bytes"));
    }
    Ok(())
}

fn keep(secret: &mut Redacted, before: &Redacted) {
    if secret.reveal() == MASK {
        *secret = before.clone();
    }
}

fn mask_url(url: &Redacted) -> Redacted {
    match Url::parse(url.reveal()) {
        Ok(parsed) if parsed.has_host() => Redacted(format!("{}/{MASK}", parsed.origin().ascii_serialization())),
        _ => Redacted::mask(),
    }
}

fn has_same_origin(one: &str, other: &str) -> bool {
    matches!((Url::parse(one), Url::parse(other)), (Ok(one), Ok(other)) if one.origin() == other.origin())
}

fn host_of(url: &str) -> String {
    Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const HOOK: &str = "https://discord.com/api/webhooks/1/geheim";

    fn channel(json: &str) -> Channel {
        serde_json::from_str(json).expect(json)
    }

    fn email(change: impl FnOnce(&mut Email)) -> Channel {
        let mut email = Email {
            host: "smtp.example.org".to_owned(),
            port: 587,
            security: MailSecurity::Starttls,
            username: Some("ann".to_owned()),
            password: Some(Redacted::new("geheim")),
            from: "Hostler <alerts@example.org>".to_owned(),
            to: vec!["ann@example.org".to_owned()],
        };
        change(&mut email);
        Channel::Email(email)
    }

    fn all() -> Vec<Channel> {
        vec![
            channel(&format!(r#"{{"kind":"webhook","url":"https://example.org/hook","secret":"{SECRET}"}}"#)),
            channel(&format!(r#"{{"kind":"discord","url":"{HOOK}"}}"#)),
            channel(r#"{"kind":"slack","url":"https://hooks.slack.com/services/T0/B0/geheim"}"#),
            channel(r#"{"kind":"ntfy","url":"https://ntfy.sh/alerts","token":"tk_geheim","priority":4}"#),
            email(|_| {}),
            channel(r#"{"kind":"command","argv":["/usr/local/bin/page","--urgent"]}"#),
        ]
    }

    #[test]
    fn every_channel_kind_round_trips() {
        let kinds: Vec<ChannelKind> = all().iter().map(Channel::kind).collect();
        assert_eq!(kinds, ChannelKind::ALL);
        for channel in all() {
            assert_eq!(channel.check(), Ok(()), "{channel:?}");
            let json = serde_json::to_value(&channel).expect("serializes");
            assert_eq!(json["kind"], channel.kind().as_str());
            assert_eq!(serde_json::from_value::<Channel>(json).expect("reads"), channel);
            assert_eq!(channel.needs_super_admin(), channel.kind() == ChannelKind::Command);
            assert!(!channel.target().is_empty());
        }
    }

    #[test]
    fn secrets_are_masked_and_kept_by_an_edit() {
        for channel in all() {
            let masked = channel.masked();
            for secret in channel.secrets() {
                assert!(!secret.is_empty());
                let secret = secret.rsplit('/').next().expect("a part");
                assert!(!format!("{channel:?}").contains(secret), "{channel:?}");
                assert!(!serde_json::to_string(&masked).expect("serializes").contains(secret), "{masked:?}");
                assert!(!channel.target().contains(secret));
                assert!(masked.check().is_err(), "{:?} could be saved masked", masked.kind());
            }
            assert_eq!(masked.merged(&channel), channel);
        }
        let masked = channel(&format!(r#"{{"kind":"discord","url":"{HOOK}"}}"#)).masked();
        assert_eq!(masked.secrets(), ["https://discord.com/•••"]);
    }

    #[test]
    fn a_stored_secret_is_not_sent_to_another_server() {
        let edits = [
            (
                email(|_| {}),
                email(|email| {
                    email.host = "evil.example".to_owned();
                    email.password = Some(Redacted::mask());
                }),
            ),
            (
                email(|_| {}),
                email(|email| {
                    email.port = 2525;
                    email.password = Some(Redacted::mask());
                }),
            ),
            (all()[3].clone(), channel(r#"{"kind":"ntfy","url":"https://evil.example/alerts","token":"•••"}"#)),
            (all()[1].clone(), channel(r#"{"kind":"discord","url":"https://evil.example/•••"}"#)),
            (all()[1].clone(), channel(r#"{"kind":"slack","url":"https://discord.com/•••"}"#)),
        ];
        for (earlier, edit) in edits {
            let merged = edit.clone().merged(&earlier);
            assert_eq!(merged, edit);
            assert!(merged.check().expect_err("refused").to_string().contains("type it again"), "{merged:?}");
        }
        let other_topic = channel(r#"{"kind":"ntfy","url":"https://ntfy.sh/other","token":"•••"}"#).merged(&all()[3]);
        assert_eq!(other_topic.secrets(), ["tk_geheim"]);
        let without = email(|email| {
            email.username = None;
            email.password = None;
        });
        assert_eq!(without.clone().merged(&email(|_| {})), without, "an edit can take a secret away");
    }

    #[test]
    fn check_names_the_invalid_field() {
        let webhook = |url: &str| Channel::Webhook { url: url.to_owned(), secret: Redacted::new(SECRET) };
        for url in [
            "",
            "example.org/hook",
            "ftp://example.org",
            "file:///etc/passwd",
            "https://",
            "http://ann@example.org/",
            "http://ann:pw@example.org/",
            "http://exa mple.org/",
            "http://example.org/\r\nX: y",
            "http://[::1",
            "javascript:1",
        ] {
            assert_eq!(webhook(url).check().expect_err(url).field, "url", "{url}");
        }
        assert!(webhook(&format!("https://example.org/{}", "x".repeat(URL_LENGTH_MAX))).check().is_err());
        for url in ["http://127.0.0.1:8080/x?y=z", "http://[::1]:80/", "https://bücher.example/"] {
            assert_eq!(webhook(url).check(), Ok(()), "{url}");
        }
        for secret in ["", "geheim", "whsec_", "whsec_kurz", "whsec_!!!!", &webhook_secret([7; 32])[1..]] {
            let channel = Channel::Webhook { url: "https://example.org".to_owned(), secret: Redacted::new(secret) };
            assert_eq!(channel.check().expect_err(secret).field, "secret");
        }
        assert_eq!(webhook_key(&webhook_secret([7; 32])), Some(vec![7; 32]));
        for (json, field) in [
            (r#"{"kind":"ntfy","url":"https://ntfy.sh/"}"#, "url"),
            (r#"{"kind":"ntfy","url":"https://ntfy.sh/a","priority":6}"#, "priority"),
            (r#"{"kind":"ntfy","url":"https://ntfy.sh/a","token":"a\nb"}"#, "token"),
            (r#"{"kind":"command","argv":[]}"#, "argv"),
            (r#"{"kind":"command","argv":["a\u0000b"]}"#, "argv"),
        ] {
            assert_eq!(channel(json).check().expect_err(json).field, field);
        }
        assert!(serde_json::from_str::<Channel>(r#"{"kind":"command","argv":["x"],"shell":true}"#).is_err());
        assert!(serde_json::from_str::<Channel>(r#"{"kind":"pigeon"}"#).is_err());
    }

    #[test]
    fn check_names_the_invalid_email_field() {
        type Change = Box<dyn Fn(&mut Email)>;
        let wrong: [(&str, Change); 12] = [
            ("host", Box::new(|email| email.host = String::new())),
            ("host", Box::new(|email| email.host = "smtp example".to_owned())),
            ("port", Box::new(|email| email.port = 0)),
            ("password", Box::new(|email| email.password = None)),
            ("username", Box::new(|email| email.username = None)),
            ("username", Box::new(|email| email.username = Some("a\r\nb".to_owned()))),
            ("security", Box::new(|email| email.security = MailSecurity::None)),
            ("from", Box::new(|email| email.from = "nobody".to_owned())),
            ("from", Box::new(|email| email.from = "a@b.example\r\nBcc: c@d.example".to_owned())),
            ("to", Box::new(|email| email.to = Vec::new())),
            ("to", Box::new(|email| email.to = vec!["a@b.example".to_owned(); RECIPIENTS_MAX + 1])),
            ("to", Box::new(|email| email.to.push("a@b.example, c@d.example".to_owned()))),
        ];
        for (field, change) in wrong {
            assert_eq!(email(change).check().expect_err(field).field, field);
        }
        for host in ["localhost", "127.0.0.1", "::1", "[::1]", "mail.example.org"] {
            assert_eq!(email(|email| email.host = host.to_owned()).check(), Ok(()), "{host}");
        }
        for to in ["a@localhost", "Jörg <joerg@example.org>", "a+b@c.d.example"] {
            assert_eq!(email(|email| email.to = vec![to.to_owned()]).check(), Ok(()), "{to}");
        }
    }
}
