//! The options of a channel: its destination and the alerts it receives.

use clap::Args;
use domain::{
    alert::{AlertKind, Severity},
    channel::{ChannelKind, MASK, MailSecurity, webhook_secret},
};
use serde_json::{Map, Value, json};

use crate::{
    environment::environment,
    fail::{Failure, Result},
    output,
    parse::{self, NONE},
};

/// The destination of a channel
#[derive(Args)]
pub(crate) struct DestinationArgs {
    /// webhook, discord, slack, ntfy, email or command
    kind: Option<ChannelKind>,
    /// URL of the destination, or a command with its arguments after --
    target: Vec<String>,
    /// Signing secret of a webhook: - for stdin, or env:NAME [default: generated]
    #[arg(long, value_name = "FROM", help_heading = "Destination")]
    secret: Option<String>,
    /// Token of an ntfy topic: - for stdin, or env:NAME
    #[arg(long, value_name = "FROM", help_heading = "Destination")]
    token: Option<String>,
    /// Priority of ntfy messages, 1 to 5 [default: by severity]
    #[arg(long, help_heading = "Destination")]
    priority: Option<u8>,
    /// Mail server
    #[arg(long, value_name = "HOST:PORT", help_heading = "Destination")]
    smtp: Option<String>,
    /// Encryption of the mail server: starttls, tls or none [default: starttls]
    #[arg(long, help_heading = "Destination")]
    security: Option<MailSecurity>,
    /// Sender address
    #[arg(long, value_name = "ADDRESS", help_heading = "Destination")]
    from: Option<String>,
    /// Recipient address; repeat for several
    #[arg(long, value_name = "ADDRESS", help_heading = "Destination")]
    to: Vec<String>,
    /// User name for the mail server
    #[arg(long, value_name = "NAME", help_heading = "Destination")]
    username: Option<String>,
    /// Password for the mail server: - for stdin, or env:NAME
    #[arg(long, value_name = "FROM", help_heading = "Destination")]
    password: Option<String>,
}

/// The alerts that a channel receives
#[derive(Args)]
pub(crate) struct AlertArgs {
    /// Only this kind of alert, repeat for several; `none` for all kinds
    #[arg(long = "kind", id = "alert-kind", value_name = "KIND", help_heading = "Alerts")]
    kinds: Vec<String>,
    /// Lowest severity: info, warning, critical, or `none`
    #[arg(long, value_name = "SEVERITY", help_heading = "Alerts")]
    min_severity: Option<String>,
    /// Hours in which only critical alerts are sent, for example 22:00-07:00, or `none`
    #[arg(long, value_name = "FROM-UNTIL", help_heading = "Alerts")]
    quiet_hours: Option<String>,
    /// Time zone of --quiet-hours [default: the time zone of this machine]
    #[arg(long, value_name = "ZONE", requires = "quiet_hours", help_heading = "Alerts")]
    tz: Option<String>,
    /// Maximum number of notifications per day, or `none`
    #[arg(long, value_name = "N", help_heading = "Alerts")]
    per_day: Option<String>,
    /// Template of the message, for example '{{ title }}: {{ text }}', or `none`
    #[arg(long, value_name = "TEXT", help_heading = "Alerts")]
    template: Option<String>,
}

impl DestinationArgs {
    /// The configuration for the API, and the generated secret if any. `before` is the current configuration: its
    /// secrets are kept where no new ones are given.
    pub(super) fn config(&self, before: Option<&Value>) -> Result<(Option<Value>, Option<String>)> {
        self.reject_options_of_other_kinds()?;
        let Some(kind) = self.kind else { return Ok((None, None)) };
        let same_kind = before.filter(|before| before["kind"] == json!(kind));
        let kept = |field: &str| same_kind.and_then(|before| before.get(field)).map(|_| MASK.to_owned());
        let secret_field = |field: &str, source: &Option<String>| match source {
            Some(source) => parse::secret(field, source).map(Some),
            None => Ok(kept(field)),
        };
        let mut generated = None;
        let config = match kind {
            ChannelKind::Webhook => {
                let secret = secret_field("secret", &self.secret)?
                    .unwrap_or_else(|| generated.insert(webhook_secret(runtime::Random.bytes())).clone());
                json!({"kind": kind, "url": self.url()?, "secret": secret})
            }
            ChannelKind::Discord | ChannelKind::Slack => {
                let url = self.url()?;
                let is_source = url == "-" || url.starts_with("env:");
                json!({"kind": kind, "url": if is_source { parse::secret("URL", &url)? } else { url }})
            }
            ChannelKind::Ntfy => {
                let token = secret_field("token", &self.token)?;
                filled(json!({"kind": kind, "url": self.url()?, "token": token, "priority": self.priority}))
            }
            ChannelKind::Email => self.email(secret_field("password", &self.password)?)?,
            ChannelKind::Command if self.target.is_empty() => {
                return Err(Failure::usage("the command of the channel is missing")
                    .hint("write it after --, for example: command -- /usr/bin/say"));
            }
            ChannelKind::Command => json!({"kind": kind, "argv": self.target}),
        };
        Ok((Some(config), generated))
    }

    /// Without this, options of another kind would be ignored silently.
    fn reject_options_of_other_kinds(&self) -> Result<()> {
        use ChannelKind::{Email, Ntfy, Webhook};
        let options = [
            ("--secret", Webhook, self.secret.is_some()),
            ("--token", Ntfy, self.token.is_some()),
            ("--priority", Ntfy, self.priority.is_some()),
            ("--smtp", Email, self.smtp.is_some()),
            ("--security", Email, self.security.is_some()),
            ("--from", Email, self.from.is_some()),
            ("--to", Email, !self.to.is_empty()),
            ("--username", Email, self.username.is_some()),
            ("--password", Email, self.password.is_some()),
        ];
        match options.iter().find(|(_, kind, is_given)| *is_given && self.kind != Some(*kind)) {
            Some((option, kind, _)) => Err(Failure::usage(format!("{option} is only for {kind} channels"))
                .hint(format!("write the kind after the name: … NAME {kind} {option} …"))),
            None => Ok(()),
        }
    }

    fn url(&self) -> Result<String> {
        match self.target.as_slice() {
            [url] => Ok(url.clone()),
            _ => Err(Failure::usage("this kind of channel needs one URL").hint("for example https://example.org/hook")),
        }
    }

    fn email(&self, password: Option<String>) -> Result<Value> {
        let needed = |option: &str| Failure::usage(format!("an email channel needs {option}"));
        if let Some(surplus) = self.target.first() {
            return Err(Failure::usage(format!("unexpected argument `{surplus}`")).hint("write recipients after --to"));
        }
        let smtp = self.smtp.as_deref().ok_or_else(|| needed("--smtp HOST:PORT"))?;
        let malformed =
            || Failure::usage(format!("`{smtp}` is not HOST:PORT")).hint("write for example smtp.example.org:587");
        let (host, port) = smtp.rsplit_once(':').ok_or_else(malformed)?;
        let port: u16 = port.parse().map_err(|_| malformed())?;
        let from = self.from.as_deref().ok_or_else(|| needed("--from ADDRESS"))?;
        if self.to.is_empty() {
            return Err(needed("--to ADDRESS"));
        }
        let security = self.security.unwrap_or(MailSecurity::Starttls);
        // Without a user name there is no sign-in, so an earlier password is removed too.
        let password = if self.username.is_none() && self.password.is_none() { None } else { password };
        Ok(filled(json!({
            "kind": ChannelKind::Email, "host": host, "port": port, "security": security, "from": from,
            "to": self.to, "username": self.username, "password": password,
        })))
    }
}

impl AlertArgs {
    /// The given settings; null removes a setting.
    pub(super) fn fields(&self) -> Result<Map<String, Value>> {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
        match self.kinds.as_slice() {
            [] => {}
            [none] if none == NONE => put("kinds", Value::Null),
            kinds => {
                let kinds: Result<Vec<AlertKind>, _> = kinds.iter().map(|kind| kind.parse()).collect();
                put("kinds", json!(kinds.map_err(|error| Failure::usage(format!("--kind: {error}")))?));
            }
        }
        if let Some(severity) = &self.min_severity {
            let read = |text: &str| text.parse::<Severity>().map_err(|error| format!("--min-severity: {error}"));
            put("min_severity", or_null(severity, read)?);
        }
        if let Some(hours) = &self.quiet_hours {
            let zone = self.tz.clone().unwrap_or_else(|| output::zone_or_local(environment("TZ").as_deref()));
            let read = |text: &str| match text.split_once('-') {
                Some((from, until)) => Ok(json!({"from": from, "until": until, "timezone": zone})),
                None => Err(format!("`{text}` is not a range of hours: write --quiet-hours 22:00-07:00")),
            };
            put("quiet_hours", or_null(hours, read)?);
        }
        if let Some(count) = &self.per_day {
            let read = |text: &str| text.parse::<u32>().map_err(|_| format!("--per-day: `{text}` is not a number"));
            put("per_day", or_null(count, read)?);
        }
        if let Some(template) = &self.template {
            put("template", or_null(template, |text| Ok(text.to_owned()))?);
        }
        Ok(fields)
    }
}

/// A value, or null for `none`.
fn or_null<T: serde::Serialize>(text: &str, parse: impl FnOnce(&str) -> Result<T, String>) -> Result<Value> {
    if text == NONE { Ok(Value::Null) } else { Ok(json!(parse(text).map_err(Failure::usage)?)) }
}

/// Removes fields whose value is null.
fn filled(mut config: Value) -> Value {
    if let Some(fields) = config.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    config
}
