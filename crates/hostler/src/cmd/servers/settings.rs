//! The settings of a server in words, for `hostler server show`.

use serde_json::Value;

use crate::output::{bytes, command_line, count, text};

/// The readiness check: `up, within 60 s`.
pub(super) fn ready(ready: &Value) -> String {
    let check = match text(ready, "kind").as_str() {
        "" => return String::new(),
        "tcp" => format!("port {}:{} accepts connections", text(ready, "host"), text(ready, "port")),
        "http" => format!("{} answers", text(ready, "url")),
        "log" => format!("output contains `{}`", text(ready, "contains")),
        "command" => format!("`{}` succeeds", command_line(&ready["argv"])),
        other => other.to_owned(),
    };
    format!("{check}, within {}", time(ready, "timeout_seconds"))
}

/// The steps of a stop: `SIGTERM, after 10 s SIGKILL`.
pub(super) fn stop(stop: &Value) -> String {
    let signal = text(stop, "signal");
    if signal.is_empty() {
        return String::new();
    }
    let command = match text(stop, "command") {
        command if command.is_empty() => String::new(),
        command => format!("line `{command}`, after {} ", time(stop, "command_seconds")),
    };
    format!("{command}SIG{signal}, after {} SIGKILL", time(stop, "signal_seconds"))
}

/// The restart policy with its pauses.
pub(super) fn restart(restart: &Value) -> String {
    let policy = text(restart, "policy").replace('_', " ");
    if policy.is_empty() || policy == "never" {
        return policy;
    }
    format!(
        "{policy}, after {} to {}; crash loop after {}; stable after {}",
        time(restart, "first_seconds"),
        time(restart, "cap_seconds"),
        count(text(restart, "loop_after"), "failure"),
        time(restart, "stable_seconds"),
    )
}

/// The resource limits.
pub(super) fn limits(caps: &Value) -> String {
    let number = |field: &str| caps[field].as_u64();
    let limits = [
        number("memory_bytes").map(|limit| format!("{} of memory", size(limit))),
        number("cpu_percent").map(|limit| format!("{limit}% of one core")),
        number("processes").map(|limit| count(limit, "process")),
    ];
    limits.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The retention of the output: `64 MiB, 14 days`.
pub(super) fn log(log: &Value) -> String {
    let kept = [log["bytes"].as_u64().map(size), log["days"].as_u64().map(|days| count(days, "day"))];
    kept.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A size that is a setting, and usually a whole number of its unit.
fn size(limit: u64) -> String {
    bytes(limit).replace(".0 ", " ")
}

/// A number of seconds; in minutes if there are several whole ones.
fn time(value: &Value, field: &str) -> String {
    match value[field].as_u64() {
        Some(seconds) if seconds > 60 && seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        Some(seconds) => format!("{seconds} s"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_of_a_default_server_are_words_with_units() {
        let spec = json!(domain::server::Server::new(vec!["java".to_owned()]));
        assert_eq!(ready(&spec["ready"]), "up, within 60 s");
        assert_eq!(stop(&spec["stop"]), "SIGTERM, after 10 s SIGKILL");
        assert_eq!(
            restart(&spec["restart"]),
            "on failure, after 1 s to 5 min; crash loop after 5 failures; stable after 60 s"
        );
        assert_eq!(limits(&spec["caps"]), "");
        assert_eq!(log(&spec["log"]), "64 MiB, 14 days");
    }

    #[test]
    fn settings_name_ports_commands_and_limits() {
        let tcp = json!({"kind": "tcp", "host": "127.0.0.1", "port": 25565, "timeout_seconds": 300});
        assert_eq!(ready(&tcp), "port 127.0.0.1:25565 accepts connections, within 5 min");
        let command = json!({"command": "stop", "command_seconds": 90, "signal": "INT", "signal_seconds": 10});
        assert_eq!(stop(&command), "line `stop`, after 90 s SIGINT, after 10 s SIGKILL");
        assert_eq!(restart(&json!({"policy": "never", "first_seconds": 1})), "never");
        let caps = json!({"memory_bytes": 2_147_483_648_u64, "cpu_percent": 150, "processes": 64});
        assert_eq!(limits(&caps), "2 GiB of memory, 150% of one core, 64 processes");
    }
}
