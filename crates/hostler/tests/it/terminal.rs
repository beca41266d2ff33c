//! Output of jobs on a terminal: colours pass, other escape sequences do not.

use std::process::Stdio;

use serde_json::json;

use crate::hub::{Home, Kind, file};

/// Both streams of a command that believes it writes to a terminal.
fn on_a_terminal(hub: &Home, args: &[&str]) -> String {
    let mut command = hub.command(args);
    // Without this, output to a pipe has no colours either, and the test would prove nothing.
    let output = command.env("CLICOLOR_FORCE", "1").stdin(Stdio::null()).output().expect("the binary runs");
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn escape_sequences_of_jobs_never_reach_the_terminal() {
    let hub = Home::new(Kind::Sqlite);
    let (_process, _) = hub.up(&[]);
    // A clipboard write, a title, a screen reset and a cursor query, on both streams and in the error.
    let script = r#"for to in 1 2; do
        printf '\033[31mred\033[0m\033]52;c;cm0gLXJmIC8=\007\033]0;owned\033\\\033c\033[2J\033[6n end\n' >&$to
    done; exit 3"#;
    let definition = json!({"key": "noisy", "argv": ["/bin/sh", "-c", script], "max_attempts": 1});
    std::fs::write(file(&hub, "noisy.json"), definition.to_string()).expect("writes");
    hub.ok(&["def", "apply", "-f", file(&hub, "noisy.json").to_str().expect("a path")]);
    let followed = on_a_terminal(&hub, &["run", "noisy", "-f"]);
    let job = hub.json(&["ps"])[0]["id"].as_str().expect("an id").to_owned();
    let shown = [followed, on_a_terminal(&hub, &["logs", &job]), on_a_terminal(&hub, &["logs", &job, "--times"])];
    for text in &shown {
        assert_eq!(text.matches("\x1b[31mred\x1b[0m end").count(), 2, "colours pass: {text:?}");
    }
    let more = [
        on_a_terminal(&hub, &["logs", &job, "-o", "json"]),
        on_a_terminal(&hub, &["why", &job]),
        on_a_terminal(&hub, &["ps", "-o", "wide"]),
        on_a_terminal(&hub, &["job", "show", &job]),
        on_a_terminal(&hub, &["job", "show", "no\x1b]0;such\x07\x1b[2Jjob"]),
        on_a_terminal(&hub, &["event", "list"]),
    ];
    for text in shown.iter().chain(&more) {
        for sequence in text.split('\x1b').skip(1) {
            let end = sequence.find('m').unwrap_or_else(|| panic!("not a style: {text:?}"));
            let is_style = sequence
                .strip_prefix('[')
                .is_some_and(|rest| rest[..end - 1].chars().all(|c| c.is_ascii_digit() || c == ';'));
            assert!(is_style, "{text:?}");
        }
        assert!(!text.contains(['\x07', '\u{9b}', '\u{9d}']), "{text:?}");
    }
}
