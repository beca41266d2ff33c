//! The table of all settings: keys, environment variables, defaults and descriptions.

#[cfg(test)]
use std::fmt::Write as _;

/// A setting.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Section and name, as in `hub.listen`.
    pub(crate) key: &'static str,
    /// The environment variable.
    pub(crate) variable: &'static str,
    pub(crate) default: &'static str,
    /// Whether output redacts the value, and whether a `…_FILE` variable may name a file that contains it.
    pub(crate) is_secret: bool,
    /// The description in `hostler.toml` and `hostler config show`.
    pub(crate) doc: &'static str,
}

const fn setting(key: &'static str, variable: &'static str, default: &'static str, doc: &'static str) -> Setting {
    Setting { key, variable, default, is_secret: false, doc }
}

/// All settings, grouped by section.
pub(crate) const SETTINGS: &[Setting] = &[
    setting("hub.listen", "HOSTLER_LISTEN", "127.0.0.1:7411", "Address and port that the hub listens on. Since 0.1."),
    setting(
        "hub.public_url",
        "HOSTLER_PUBLIC_URL",
        "",
        "URL that browsers and runners use to reach the hub; derived from `listen` if empty. Since 0.1.",
    ),
    Setting {
        key: "hub.database_url",
        variable: "HOSTLER_DATABASE_URL",
        default: "sqlite:$HOSTLER_HOME/hub.db",
        is_secret: true,
        doc: "Database of the hub: sqlite:PATH or postgres://USER@HOST/DB[?pooler=transaction]. Since 0.1.",
    },
    setting(
        "hub.database_connections",
        "HOSTLER_DATABASE_CONNECTIONS",
        "8",
        "Number of PostgreSQL connections, or of SQLite read connections. Since 0.1.",
    ),
    setting("hub.heartbeat", "HOSTLER_HEARTBEAT", "10s", "Interval of the heartbeats that runners send. Since 0.1."),
    setting(
        "hub.runners_per_second",
        "HOSTLER_RUNNERS_PER_SECOND",
        "500",
        "Maximum number of runners that may connect per second; the rest are rejected and retry later. Since 0.1.",
    ),
    setting(
        "hub.requests_per_second",
        "HOSTLER_REQUESTS_PER_SECOND",
        "500",
        "Maximum number of requests per second from one IP address. Since 0.1.",
    ),
    setting(
        "hub.connections_per_address",
        "HOSTLER_CONNECTIONS_PER_ADDRESS",
        "1000",
        "Maximum number of connections from one IP address; not for loopback, trusted proxies and linked runners. Since 0.1.",
    ),
    setting(
        "hub.allowed_hosts",
        "HOSTLER_ALLOWED_HOSTS",
        "",
        "Further names under which sign-in and other public routes answer, such as hub.lan, separated by commas; loopback names, IP addresses and the name in `public_url` always work. Since 0.1.",
    ),
    setting(
        "hub.trusted_proxies",
        "HOSTLER_TRUSTED_PROXIES",
        "",
        "Address ranges of reverse proxies whose X-Forwarded-For header is trusted, separated by commas. Since 0.1.",
    ),
    setting("hub.tls_cert", "HOSTLER_TLS_CERT", "", "PEM file with the TLS certificate chain for browsers. Since 0.1."),
    setting("hub.tls_key", "HOSTLER_TLS_KEY", "", "PEM file with the private key of `tls_cert`. Since 0.1."),
    setting(
        "hub.lost_after",
        "HOSTLER_LOST_AFTER",
        "5m",
        "Time without heartbeats after which the runs of a host count as lost; at least six times hub.heartbeat. Since 0.1.",
    ),
    setting(
        "hub.settle",
        "HOSTLER_SETTLE",
        "60s",
        "Delay after a host reconnects before its missed schedules run. Since 0.1.",
    ),
    setting("hub.alerts_every", "HOSTLER_ALERTS_EVERY", "10s", "How often the hub evaluates alert rules. Since 0.1."),
    setting(
        "hub.group_wait",
        "HOSTLER_GROUP_WAIT",
        "30s",
        "How long a notification waits, so that similar alerts of several hosts are sent as one. Since 0.1.",
    ),
    setting(
        "hub.notify_allow",
        "HOSTLER_NOTIFY_ALLOW",
        "",
        "Private networks that notification channels may send to, such as 10.0.0.0/8, separated by commas. Since 0.1.",
    ),
    setting(
        "hub.max_queued",
        "HOSTLER_MAX_QUEUED",
        "10000000",
        "Maximum number of queued jobs per org; further jobs are rejected with queue_full. Since 0.1.",
    ),
    setting(
        "hub.log_bytes_per_run",
        "HOSTLER_LOG_BYTES_PER_RUN",
        "16777216",
        "How many bytes of output a hub stores of one run; behind them the log ends with a mark. Since 0.1.",
    ),
    setting(
        "hub.log_bytes_per_day",
        "HOSTLER_LOG_BYTES_PER_DAY",
        "1073741824",
        "How many bytes of output a hub stores of one host in a day (UTC). Since 0.1.",
    ),
    setting(
        "hub.keep_succeeded",
        "HOSTLER_KEEP_SUCCEEDED",
        "30d",
        "How long succeeded jobs are kept, with their runs and output; an org may set its own value. Since 0.1.",
    ),
    setting(
        "hub.keep_others",
        "HOSTLER_KEEP_OTHERS",
        "90d",
        "How long failed, dead-letter and canceled jobs are kept; an org may set its own value. Since 0.1.",
    ),
    setting(
        "hub.secret_key_file",
        "HOSTLER_SECRET_KEY_FILE",
        "$HOSTLER_HOME/secret.key",
        "File with the 32-byte key that encrypts secrets; created when first needed. Hubs that share a database need the same file. Since 0.1.",
    ),
    setting(
        "runner.name",
        "HOSTLER_HOSTNAME",
        "",
        "Name that this machine requests when it joins a hub; its hostname if empty. Since 0.1.",
    ),
    setting(
        "runner.slots",
        "HOSTLER_SLOTS",
        "64",
        "Maximum number of jobs that run at the same time on this machine; the hub's limit applies too. Since 0.1.",
    ),
    setting(
        "runner.queues",
        "HOSTLER_QUEUES",
        "default",
        "Queues that this machine offers to serve, separated by commas. A joined hub must allow them: hostler invite --queue, hostler host set --queues. Since 0.1.",
    ),
    setting(
        "runner.hubs",
        "HOSTLER_HUBS",
        "",
        "URLs of the hubs that this machine connects to, separated by commas. The first is its primary hub, which assigns its jobs. If empty, it connects to all hubs that it has joined. Since 0.1.",
    ),
    setting(
        "runner.trust",
        "HOSTLER_TRUST",
        "hub",
        "Definitions and servers that this machine runs: hub for those of its hub, local for only those in $HOSTLER_HOME/catalogue.d. The strictest of this file, the variable and `hostler join --trust` is in force. Since 0.1.",
    ),
    setting(
        "runner.user",
        "HOSTLER_RUNNER_USER",
        "",
        "User of jobs and servers that name none, if the runner is root: a user of this machine, or per-org for a user per org without an account. The runner's own user if empty. Since 0.1.",
    ),
    setting(
        "runner.isolation",
        "HOSTLER_RUNNER_ISOLATION",
        "full",
        "How jobs and servers are kept away from the data folder: full, namespace (they may mount; root can undo it) or off. Since 0.1.",
    ),
    setting(
        "runner.hidden_folders",
        "HOSTLER_RUNNER_HIDDEN_FOLDERS",
        "",
        "More folders that jobs and servers cannot reach, separated by commas. Since 0.1.",
    ),
    setting(
        "log.level",
        "HOSTLER_LOG",
        "info",
        "Log level: error, warn, info, debug or trace; or a filter such as info,hub=debug. Since 0.1.",
    ),
    setting("log.format", "HOSTLER_LOG_FORMAT", "text", "Log format: text or json. Since 0.1."),
];

/// A redacted secret: in a URL only the password is replaced.
pub(super) fn redacted(value: &str) -> String {
    let Some((scheme, rest)) = value.split_once("://") else { return value.to_owned() };
    match rest.split_once('@') {
        Some((user, host)) => format!("{scheme}://{}:•••@{host}", user.split(':').next().unwrap_or_default()),
        None => value.to_owned(),
    }
}

/// The commented example file. A test compares it with `docs/hostler.toml`.
#[cfg(test)]
pub(super) fn example() -> String {
    let mut text = String::from(
        "# hostler.toml: all settings with their defaults. Flags and environment variables override this file.\n# The file is read from the data folder, or from the path given with --config.\n",
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
    fn redacted_replaces_the_password_of_a_url() {
        assert_eq!(redacted("postgres://ana:secret@db/hostler"), "postgres://ana:•••@db/hostler");
        assert_eq!(redacted("sqlite:/data/hub.db"), "sqlite:/data/hub.db");
    }
}
