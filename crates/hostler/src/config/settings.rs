//! The table of settings: their one home.

#[cfg(test)]
use std::fmt::Write as _;

/// A setting.
#[derive(Debug)]
pub(crate) struct Setting {
    /// As in `hub.listen`.
    pub(crate) key: &'static str,
    /// Its variable in the environment.
    pub(crate) variable: &'static str,
    /// What it is unless said.
    pub(crate) default: &'static str,
    /// Whether it is hidden when shown, and can come from a file named by `…_FILE`.
    pub(crate) is_secret: bool,
    /// What it is for.
    pub(crate) doc: &'static str,
}

const fn setting(key: &'static str, variable: &'static str, default: &'static str, doc: &'static str) -> Setting {
    Setting { key, variable, default, is_secret: false, doc }
}

/// Every setting, grouped by section.
pub(crate) const SETTINGS: &[Setting] = &[
    setting("hub.listen", "HOSTLER_LISTEN", "127.0.0.1:7411", "The address and port the hub listens on. Since 0.1."),
    setting(
        "hub.public_url",
        "HOSTLER_PUBLIC_URL",
        "",
        "The address people and runners use; made from `listen` if empty. Since 0.1.",
    ),
    Setting {
        key: "hub.database_url",
        variable: "HOSTLER_DATABASE_URL",
        default: "sqlite:$HOSTLER_HOME/hub.db",
        is_secret: true,
        doc: "The hub's database: sqlite:PATH or postgres://USER@HOST/DB[?pooler=transaction]. Since 0.1.",
    },
    setting(
        "hub.database_connections",
        "HOSTLER_DATABASE_CONNECTIONS",
        "8",
        "Connections to PostgreSQL, or readers of SQLite. Since 0.1.",
    ),
    setting("hub.heartbeat", "HOSTLER_HEARTBEAT", "10s", "How often runners give a sign of life. Since 0.1."),
    setting(
        "hub.runners_per_second",
        "HOSTLER_RUNNERS_PER_SECOND",
        "500",
        "How many runners are let in per second; the others come back later. Since 0.1.",
    ),
    setting(
        "hub.requests_per_second",
        "HOSTLER_REQUESTS_PER_SECOND",
        "500",
        "How many requests one address may make per second. Since 0.1.",
    ),
    setting(
        "hub.trusted_proxies",
        "HOSTLER_TRUSTED_PROXIES",
        "",
        "Address ranges of reverse proxies whose X-Forwarded-For is believed, separated by commas. Since 0.1.",
    ),
    setting("hub.tls_cert", "HOSTLER_TLS_CERT", "", "A certificate chain for browsers, in PEM. Since 0.1."),
    setting("hub.tls_key", "HOSTLER_TLS_KEY", "", "The key of that certificate, in PEM. Since 0.1."),
    setting(
        "hub.lost_after",
        "HOSTLER_LOST_AFTER",
        "5m",
        "How long a runner may be silent before its runs are decided about; at least six heartbeats. Since 0.1.",
    ),
    setting(
        "hub.settle",
        "HOSTLER_SETTLE",
        "60s",
        "How long a host that came back is left alone before its missed schedules are made up for. Since 0.3.",
    ),
    setting("hub.alerts_every", "HOSTLER_ALERTS_EVERY", "10s", "How often the hub looks for what is wrong. Since 0.3."),
    setting(
        "hub.group_wait",
        "HOSTLER_GROUP_WAIT",
        "30s",
        "How long a notice waits for others like it, so that many hosts make one. Since 0.3.",
    ),
    setting(
        "hub.notify_allow",
        "HOSTLER_NOTIFY_ALLOW",
        "",
        "Private networks that channels may call, with commas between them, as in 10.0.0.0/8. Since 0.3.",
    ),
    setting(
        "hub.max_queued",
        "HOSTLER_MAX_QUEUED",
        "10000000",
        "How many jobs may wait in one org; more are refused with queue_full. Since 0.1.",
    ),
    setting(
        "hub.keep_succeeded",
        "HOSTLER_KEEP_SUCCEEDED",
        "30d",
        "How long jobs that succeeded are kept, with their runs and output, where their org says nothing else. Since 0.1.",
    ),
    setting(
        "hub.keep_others",
        "HOSTLER_KEEP_OTHERS",
        "90d",
        "How long jobs that failed, were given up or were canceled are kept, where their org says nothing else. Since 0.1.",
    ),
    setting(
        "hub.secret_key_file",
        "HOSTLER_SECRET_KEY_FILE",
        "$HOSTLER_HOME/secret.key",
        "The key that secrets are encrypted with, 32 bytes; made at first need. Hubs of one database share it. Since 0.1.",
    ),
    setting("runner.name", "HOSTLER_HOSTNAME", "", "The name this machine asks for; its own name if empty. Since 0.1."),
    setting(
        "runner.slots",
        "HOSTLER_SLOTS",
        "64",
        "How many jobs this machine takes on at once, whatever the hub allows it. Since 0.1.",
    ),
    setting(
        "runner.queues",
        "HOSTLER_QUEUES",
        "default",
        "The queues this machine serves, separated by commas. Since 0.1.",
    ),
    setting(
        "runner.hubs",
        "HOSTLER_HUBS",
        "",
        "The hubs this machine reports to, separated by commas; the first is its home, where its work comes from. All it joined if empty. Since 0.2.",
    ),
    setting(
        "runner.trust",
        "HOSTLER_TRUST",
        "hub",
        "Whose definitions this machine runs: hub, or local for only those in $HOSTLER_HOME/catalogue.d. Since 0.1.",
    ),
    setting(
        "log.level",
        "HOSTLER_LOG",
        "info",
        "error, warn, info, debug or trace; or a filter as in info,hub=debug. Since 0.1.",
    ),
    setting("log.format", "HOSTLER_LOG_FORMAT", "text", "text or json. Since 0.1."),
];

/// A secret as it is shown: an address keeps everything but its password.
pub(super) fn hidden(value: &str) -> String {
    let Some((scheme, rest)) = value.split_once("://") else { return value.to_owned() };
    match rest.split_once('@') {
        Some((user, host)) => format!("{scheme}://{}:•••@{host}", user.split(':').next().unwrap_or_default()),
        None => value.to_owned(),
    }
}

/// The commented example file, which a test compares with `docs/hostler.toml`.
#[cfg(test)]
pub(super) fn example() -> String {
    let mut text = String::from(
        "# hostler.toml: every setting with its default. Flags and the environment win over this file.\n# The file is read from the data folder, or from --config.\n",
    );
    let mut section = "";
    for setting in SETTINGS {
        let (of, name) = setting.key.split_once('.').unwrap_or(("", setting.key));
        if of != section {
            section = of;
            let _ = write!(text, "\n[{of}]\n");
        }
        let _ = write!(
            text,
            "\n# {}\n# Environment: {}{}\n# {name} = \"{}\"\n",
            setting.doc,
            setting.variable,
            if setting.is_secret { " (or …_FILE)" } else { "" },
            setting.default
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(hidden("postgres://ana:secret@db/hostler"), "postgres://ana:•••@db/hostler");
        assert_eq!(hidden("sqlite:/data/hub.db"), "sqlite:/data/hub.db");
    }
}
