//! `hostler alert`, `maintenance`, `channel` with real receivers, `ping`, `hook` and `host timeline`.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    process::{Output, Stdio},
    sync::mpsc,
};

use serde_json::{Value, json};

use crate::hub::{Home, Kind, PATIENCE, Process, ask, file, until};

/// Asserts the exit code of a command and returns its stderr.
fn stderr_of(output: &Output, code: i32) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    stderr
}

/// Runs a command with this text on its stdin.
fn with_input(home: &Home, args: &[&str], input: &str) -> Output {
    let mut command = home.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("is read");
    child.wait_with_output().expect("it ends")
}

/// Starts a hub that may call receivers on loopback; returns it with its address and the host name of this machine.
fn up(home: &Home) -> (Process, String, String) {
    let mut command = home.command(&["up", "--listen", "127.0.0.1:0"]);
    let process = Process::start(command.env("HOSTLER_NOTIFY_ALLOW", "127.0.0.0/8"));
    let url = process.wait_for("listening").split_whitespace().last().expect("an address").to_owned();
    process.wait_for("Press Ctrl-C to stop");
    let host = home.json(&["host", "list"])[0]["name"].as_str().expect("this machine").to_owned();
    (process, url, host)
}

/// Starts a receiver of webhooks; returns its URL and a channel with the received requests.
fn receiver() -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let (sender, requests) = mpsc::channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let (mut request, mut part) = (Vec::new(), [0; 4096]);
            while !is_whole(&request) {
                match stream.read(&mut part) {
                    Ok(read) if read > 0 => request.extend_from_slice(&part[..read]),
                    _ => break,
                }
            }
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
            if sender.send(String::from_utf8_lossy(&request).into_owned()).is_err() {
                return;
            }
        }
    });
    (url, requests)
}

/// Whether the body of a request has the length that its head announces.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    body.len() >= length.unwrap_or(0)
}

fn rule_of(home: &Home, kind: &str) -> Value {
    let rules = home.json(&["alert", "rules"]);
    let found = rules.as_array().and_then(|rules| rules.iter().find(|rule| rule["kind"] == kind));
    found.unwrap_or_else(|| panic!("there is no rule {kind}: {rules}")).clone()
}

#[test]
fn alert_rule_changes_only_given_fields_and_resets() {
    let home = Home::new(Kind::Sqlite);
    let (_process, _, _) = up(&home);
    let before = rule_of(&home, "queue_age");
    let args = ["alert", "rule", "queue_age", "--severity", "critical", "--threshold", "20m"];
    assert_eq!(home.run(&[&args[..], &["--dry-run"]].concat()).status.code(), Some(20));
    assert_eq!(rule_of(&home, "queue_age"), before, "a dry run changes nothing");
    assert!(stderr_of(&home.run(&args), 0).contains("queue_age: critical, "));
    home.ok(&["alert", "rule", "queue_age", "--for", "7m"]);
    let changed = rule_of(&home, "queue_age");
    assert_eq!(
        (&changed["severity"], &changed["threshold_seconds"], &changed["for_seconds"], &changed["is_default"]),
        (&json!("critical"), &json!(1200), &json!(420), &json!(false)),
        "a later change keeps fields that it does not name"
    );
    assert_eq!(changed["clear_seconds"], before["clear_seconds"]);
    home.ok(&["alert", "rule", "queue_age", "--repeat", "4h"]);
    assert_eq!(rule_of(&home, "queue_age")["repeat_seconds"], json!(14_400));
    home.ok(&["alert", "rule", "queue_age", "--repeat", "never"]);
    assert_eq!(rule_of(&home, "queue_age"), changed, "only the reminders are removed");
    home.ok(&["alert", "rule", "queue_age", "--off"]);
    assert!(home.ok(&["alert", "rules"]).contains("off\tqueue_age\tcritical\t7m"));
    home.ok(&["alert", "rule", "queue_age", "--reset"]);
    assert_eq!(rule_of(&home, "queue_age"), before);
    assert!(stderr_of(&home.run(&["alert", "rule", "queue_age"]), 2).contains("no change given"));
    assert!(stderr_of(&home.run(&["alert", "rule", "queue_age", "--for", "5"]), 2).contains("is not a duration"));
    assert_eq!(home.run(&["alert", "rule", "bad_weather", "--off"]).status.code(), Some(2));
}

#[test]
fn webhook_channel_sends_signed_requests() {
    let home = Home::new(Kind::Sqlite);
    let (_process, _, _) = up(&home);
    let (url, requests) = receiver();
    let dry = home.run(&["channel", "add", "ops", "webhook", &url, "--dry-run"]);
    assert!(!stderr_of(&dry, 20).contains("whsec_"));
    let secret = home.ok(&["channel", "add", "ops", "webhook", &url, "--min-severity", "warning", "--per-day", "5"]);
    assert!(secret.starts_with("whsec_"), "{secret}");
    let tested = stderr_of(&home.run(&["channel", "test", "ops"]), 0);
    assert!(tested.contains("✓ test delivered to ops (") && tested.contains(" ms)"), "{tested}");
    let request = requests.recv_timeout(PATIENCE).expect("the webhook is called");
    assert!(
        request.starts_with("POST /hook ") && request.to_lowercase().contains("webhook-signature: v1,"),
        "{request}"
    );

    let result = home.json(&["channel", "show", "ops"]);
    assert_eq!((&result["config"]["url"], &result["config"]["secret"]), (&json!(url), &json!("•••")));
    assert!(!home.ok(&["channel", "list", "-o", "wide"]).contains(secret.trim()));
    let edit =
        ["channel", "edit", "ops", "--kind", "dead_letter", "--quiet-hours", "22:00-07:00", "--tz", "Europe/Berlin"];
    home.ok(&edit);
    let edited = home.json(&["channel", "show", "ops"]);
    assert_eq!((&edited["kinds"], &edited["quiet_hours"]["from"]), (&json!(["dead_letter"]), &json!("22:00")));
    assert_eq!(
        (&edited["per_day"], &edited["min_severity"]),
        (&json!(5), &json!("warning")),
        "fields that are not given are kept"
    );
    // A new URL keeps the secret, because the receiver may have moved.
    let (other, requests) = receiver();
    let output = home.ok(&["channel", "edit", "ops", "webhook", &other, "--quiet-hours", "none", "--rename", "night"]);
    assert!(output.is_empty(), "no new secret: {output}");
    home.ok(&["channel", "test", "night"]);
    assert!(requests.recv_timeout(PATIENCE).expect("the webhook is called").contains("webhook-signature"));
    assert_eq!(home.json(&["channel", "show", "night"])["quiet_hours"], Value::Null);
    assert!(stderr_of(&home.run(&["channel", "rm", "night"]), 2).contains("--yes"));
    home.ok(&["channel", "rm", "night", "--yes"]);
    assert_eq!(home.json(&["channel", "list"]), json!([]));
}

#[test]
fn command_channel_receives_stdin_and_reports_failure() {
    let home = Home::new(Kind::Sqlite);
    let (_process, _, _) = up(&home);
    let received = file(&home, "received");
    let path = received.to_str().expect("a path");
    home.ok(&["channel", "add", "note", "command", "--", "/bin/cp", "/dev/stdin", path]);
    home.ok(&["channel", "test", "note"]);
    assert!(std::fs::read_to_string(&received).is_ok_and(|text| !text.is_empty()), "the notification arrives on stdin");
    home.ok(&["channel", "add", "broken", "command", "--", "/bin/false"]);
    let failed = home.run(&["channel", "test", "broken"]);
    assert!(stderr_of(&failed, 1).contains("✕ the test notification to broken failed: "));
    let failed = home.run(&["channel", "test", "broken", "-o", "json"]);
    let tested: Value = serde_json::from_slice(&failed.stdout).expect("JSON");
    assert_eq!((failed.status.code(), &tested["is_delivered"]), (Some(1), &json!(false)));
    assert_eq!(home.json(&["notice", "list"]), json!([]), "tests are not listed as notifications");
}

#[test]
fn channel_secrets_are_rejected_as_arguments_and_redacted() {
    let home = Home::new(Kind::Sqlite);
    let (_process, _, _) = up(&home);
    let ntfy = ["channel", "add", "phone", "ntfy", "https://ntfy.example.org/alerts", "--token"];
    let refused = stderr_of(&home.run(&[&ntfy[..], &["tk_secret"]].concat()), 2);
    assert!(refused.contains("cannot be given on the command line") && !refused.contains("tk_secret"), "{refused}");
    assert!(stderr_of(&home.run(&[&ntfy[..], &["env:NTFY_TOKEN"]].concat()), 2).contains("no NTFY_TOKEN"));
    assert!(with_input(&home, &[&ntfy[..], &["-"]].concat(), "tk_secret\n").status.success());
    assert_eq!(home.json(&["channel", "show", "phone"])["config"]["token"], "•••");
    let address = "https://discord.com/api/webhooks/1/geheim";
    assert!(with_input(&home, &["channel", "add", "chat", "discord", "-"], address).status.success());
    let mail = ["channel", "add", "mail", "email", "--smtp", "smtp.example.org:587", "--from", "hostler@example.org"];
    let whole =
        [&mail[..], &["--to", "a@example.org", "--to", "b@example.org", "--username", "h", "--password"]].concat();
    let made = home.command(&[&whole[..], &["env:MAIL"]].concat()).env("MAIL", "geheim").output().expect("runs");
    assert!(made.status.success(), "{made:?}");
    let result = home.ok(&["channel", "show", "mail"]);
    assert!(result.contains("b@example.org") && result.contains("starttls"), "{result}");
    let all = [home.ok(&["channel", "list", "-o", "json"]), home.ok(&["audit", "-o", "json"])].concat();
    assert!(!all.contains("geheim") && !all.contains("tk_secret"), "{all}");

    let none: &[&str] = &[];
    for (args, part) in [
        (&["add", "x"][..], "the kind of the channel is missing"),
        (&["add", "x", "webhook"], "needs one URL"),
        (&["add", "x", "command"], "the command of the channel is missing"),
        (&["add", "x", "slack", "https://example.org", "--smtp", "a:1"], "--smtp is only for email channels"),
        (&["add", "x", "email", "--smtp", "smtp.example.org"], "is not HOST:PORT"),
        (&["add", "x", "email", "--smtp", "a:25", "--from", "a@b.de"], "needs --to"),
        (&["add", "x", "ntfy", "https://ntfy.sh/a", "--quiet-hours", "22"], "is not a range of hours"),
        (&["add", "x", "ntfy", "https://ntfy.sh/a", "--kind", "rain"], "--kind: "),
        (&["edit", "mail"], "no change given"),
    ] {
        let output = home.run(&[&["channel"], args, none].concat());
        assert!(stderr_of(&output, 2).contains(part), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn maintenance_windows_and_mutes_are_added_listed_and_removed() {
    let home = Home::new(Kind::Sqlite);
    let (_process, _, host) = up(&home);
    assert!(stderr_of(&home.run(&["alert", "mute", "--for", "1h"]), 2).contains("no alerts to mute given"));
    let muted =
        home.run(&["alert", "mute", "--host", &host, "--kind", "host_offline", "--for", "1h", "--note", "new disk"]);
    assert!(stderr_of(&muted, 0).contains(&format!("new disk: muted host {host}; host_offline until ")));
    let all = stderr_of(&home.run(&["mute", "--all", "--for", "2h"]), 0);
    assert!(all.contains("muted all alerts until ") && !all.contains("muted: muted"), "{all}");
    home.ok(&[
        "maintenance",
        "add",
        "--label",
        "updates",
        "-l",
        "env=prod",
        "--cron",
        "0 2 * * 0",
        "--tz",
        "Europe/Berlin",
        "--for",
        "4h",
    ]);
    home.ok(&[
        "maintenance",
        "add",
        "--label",
        "switch",
        "--from",
        "2099-01-01T00:00:00Z",
        "--until",
        "2099-01-02T00:00:00Z",
    ]);
    let table = home.ok(&["maintenance", "list"]);
    assert!(table.contains(&format!("active\tnew disk\thost {host}; host_offline\tonce\t")), "{table}");
    assert!(table.contains("active\tmuted\tall alerts\tonce\t"), "{table}");
    assert!(
        table.contains("\tupdates\thosts with env=prod\t0 2 * * 0 (at 02:00 on Sunday) Europe/Berlin, for 4h\t"),
        "{table}"
    );
    assert!(table.contains("\n\tswitch\tall alerts\tonce\t2099-01-02"), "not active yet: {table}");
    for label in ["new disk", "muted", "updates", "switch"] {
        home.ok(&["maintenance", "rm", label]);
    }
    assert_eq!(home.json(&["maintenance", "list"]), json!([]));
    let wrong = ["maintenance", "add", "--label", "x", "--cron", "0 2 * * 0"];
    assert_eq!(home.run(&wrong).status.code(), Some(2), "--for is missing");
}

#[test]
fn ping_reports_are_listed_and_a_failure_raises_an_alert() {
    let home = Home::new(Kind::Sqlite);
    let (_process, url, _) = up(&home);
    let made = home.run(&["ping", "add", "nas-backup", "--every", "1h", "--grace", "30m"]);
    assert!(stderr_of(&made, 0).contains("added ping nas-backup: expected every 1h, at most 30m late"));
    let address = String::from_utf8_lossy(&made.stdout).trim().to_owned();
    let path = &address[address.find("/ping/").expect("an address of pings")..];
    assert_eq!(ask(&url, "GET", path, None, "").0, 200);
    assert_eq!(ask(&url, "POST", &format!("{path}/3"), None, "disk full").0, 200);
    let history = until("both reports are listed", || {
        let history = home.json(&["ping", "history", "nas-backup"]);
        (history.as_array().map(Vec::len) == Some(2)).then_some(history)
    });
    assert_eq!((&history[0]["exit_code"], &history[0]["body"]), (&json!(3), &json!("disk full")));
    assert_eq!(history[1]["word"], "success");
    let listed = home.json(&["ping", "list"]);
    assert_eq!((&listed[0]["label"], &listed[0]["status"]), (&json!("nas-backup"), &json!("down")));
    // The program reported its own failure, so the alert is raised without waiting for the grace period.
    let alert = until("an alert", || home.json(&["alert", "list"]).get(0).cloned());
    assert_eq!((&alert["kind"], &alert["subject_name"]), (&json!("ping_missed"), &json!("nas-backup")));
    assert!(home.ok(&["status"]).contains("1 open"));
    assert!(home.ok(&["alert", "list"]).contains("\tping_missed\tnas-backup\t"));
    home.ok(&["alert", "ack", "nas-backup", "--note", "new disk", "--for", "8h"]);
    let result = home.json(&["alert", "show", alert["id"].as_str().expect("an id")]);
    assert_eq!((&result["status"], &result["note"]), (&json!("acked"), &json!("new disk")));
    home.ok(&["alert", "snooze", "nas-backup", "--for", "2h"]);
    home.ok(&["alert", "resolve", "nas-backup", "--note", "by hand"]);
    let over = home.json(&["alert", "list", "--all"]);
    assert!(over.as_array().is_some_and(|all| all.iter().any(|one| one["status"] == "resolved")), "{over}");
    home.ok(&["ping", "rm", "nas-backup", "--yes"]);
    assert_eq!(ask(&url, "GET", path, None, "").0, 404);
}

#[test]
fn hook_add_prints_url_and_secret() {
    let home = Home::new(Kind::Sqlite);
    let (_process, url, _) = up(&home);
    let made = home.ok(&["hook", "add", "shop", "--event", "shop.order_paid"]);
    let (address, secret) = made.trim().split_once('\n').expect("two lines");
    assert!(address.contains("/in/") && secret.starts_with("whsec_"), "{made}");
    let path = &address[address.find("/in/").expect("a path")..];
    assert!(matches!(ask(&url, "POST", path, None, "{}").0, 400..=403), "not signed");
    let listed = home.ok(&["hook", "list"]);
    assert!(listed.contains("shop\tshop.order_paid\tstandard\t") && !listed.contains(secret), "{listed}");
    home.ok(&["hook", "rm", "shop", "--yes"]);
    assert_eq!(home.json(&["hook", "list"]), json!([]));
}

#[test]
fn host_timeline_lists_runs_newest_last() {
    let home = Home::new(Kind::Sqlite);
    let (_process, _, host) = up(&home);
    for name in ["Kim", "Ana"] {
        home.ok(&["run", "hello", &format!("name={name}"), "--on", &host, "--wait"]);
    }
    let past = until("both runs are listed", || {
        let past = home.json(&["host", "timeline", &host, "--since", "1h"]);
        let runs = past.as_array().map_or(0, |all| all.iter().filter(|one| one["word"] == "succeeded").count());
        (runs == 2).then_some(past)
    });
    let times: Vec<&str> = past.as_array().into_iter().flatten().filter_map(|one| one["at"].as_str()).collect();
    assert!(times.is_sorted(), "not newest last: {times:?}");
    let log = home.ok(&["host", "timeline", &host]);
    assert!(log.starts_with("AT\t\tEVENT\tDETAIL\tDURATION\n"), "{log}");
    assert_eq!(log.lines().filter(|line| line.contains("\t✓\tsucceeded\thello, run 1\t")).count(), 2, "{log}");
    let early = ["host", "timeline", &host, "--from", "2026-01-01T00:00:00Z", "--until", "2026-01-02T00:00:00Z"];
    assert!(stderr_of(&home.run(&early), 0).contains("no entries for host "));
    assert_eq!(home.run(&["host", "timeline", &host, "--since", "soon"]).status.code(), Some(2));
}
