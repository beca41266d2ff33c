//! `hostler trigger`, `hostler event` and `hostler schedule`: creation, fires, events, files, crontabs and rejections.

use std::{
    io::Write as _,
    process::{Output, Stdio},
};

use serde_json::{Value, json};

use crate::hub::{Home, Kind, Process, file, until};

/// Asserts the exit code of a command and returns its stderr.
fn stderr_of(output: &Output, code: i32) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    stderr
}

fn refused(home: &Home, args: &[&str]) -> String {
    stderr_of(&home.run(args), 2)
}

/// Runs a command with this text on its stdin.
fn with_input(home: &Home, args: &[&str], input: &str) -> Output {
    let mut child = home
        .command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("is read");
    child.wait_with_output().expect("it ends")
}

fn id_of(made: &str) -> String {
    made.trim().to_owned()
}

/// A hub on this machine, and the name of the machine.
fn up(home: &Home) -> (Process, String) {
    let (process, _) = home.up(&[]);
    let host = home.json(&["host", "list"])[0]["name"].as_str().expect("this machine").to_owned();
    (process, host)
}

#[test]
fn trigger_next_of_an_expression_needs_no_hub() {
    let home = Home::new(Kind::Sqlite);
    let base = ["trigger", "next", "30 2 * * *", "--tz", "Europe/Berlin", "--after", "2027-03-27T00:00:00Z", "-n", "3"];
    let expected = ["2027-03-27T01:30:00Z", "2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z"];
    let found = home.json(&base);
    let times = |value: &Value| -> Vec<String> {
        let times = value.as_array().expect("a list").iter();
        times.map(|time| time["at"].as_str().expect("a time").replace(".000000", "")).collect()
    };
    assert_eq!(times(&found), expected);
    assert!(found.as_array().is_some_and(|all| all.iter().all(|time| time.as_object().map(|t| t.len()) == Some(1))));
    let result = home.run(&base);
    assert!(stderr_of(&result, 0).contains("02:30 does not exist: runs at 03:00"));
    let table = String::from_utf8_lossy(&result.stdout).into_owned();
    assert!(table.contains("2027-03-28T03:00:00+02:00\t2027-03-28T01:00:00Z"), "{table}");
    let every = home.json(&["trigger", "next", "@every 90m", "--after", "2026-01-01T00:00:00Z", "-n", "2"]);
    assert_eq!(times(&every), ["2026-01-01T01:30:00Z", "2026-01-01T03:00:00Z"]);

    for (args, part) in [
        (&["0 0 30 2 *"][..], "never fires"),
        (&["1--100000000 * * * *"], "`1--100000000` in the minute field"),
        (&["@daily", "--tz", "Europe/Berln"], "did you mean Europe/Berlin?"),
        (&["@often"], "`@often` is not a schedule name"),
        (&["0 2 * *"], "5 fields"),
        (&["@daily", "--after", "soon"], "`soon` is neither a time nor a duration"),
    ] {
        let stderr = refused(&home, &[&["trigger", "next"], args].concat());
        assert!(stderr.contains(part), "{args:?}: {stderr}");
    }
    assert_eq!(home.run(&["trigger", "next", "nightly"]).status.code(), Some(8), "a trigger needs its hub");
}

fn trigger_commands_manage_a_schedule(kind: Kind) {
    let home = Home::new(kind);
    let (process, host) = up(&home);
    let args = ["--label", "nightly", "--def", "hello", "name=Kim", "--cron", "0 2 * * *", "--tz", "Europe/Berlin"];
    let dry = home.run(&[&["trigger", "create", "--dry-run"], &args[..]].concat());
    assert_eq!(dry.status.code(), Some(20));
    let id = id_of(&home.ok(&[&["trigger", "create", "--on", &host], &args[..]].concat()));
    let table = home.ok(&["trigger", "list"]);
    assert!(table.starts_with("ON\tLABEL\tDEFINITION\tWHEN\tNEXT\tLAST\n"), "{table}");
    assert!(table.contains("on\tnightly\thello\tat 02:00 every day\t"), "{table}");
    for reference in ["nightly", &id, &id[..20], &id.to_lowercase()] {
        assert_eq!(home.json(&["trigger", "show", reference])["id"], json!(id), "{reference}");
    }
    assert_eq!(home.json(&["trigger", "next", "nightly", "-n", "250"]).as_array().map(Vec::len), Some(250));
    let tested = home.ok(&["trigger", "test", "nightly"]);
    assert!(tested.contains("would create a job of hello on "), "{tested}");
    assert!(tested.contains(" with {\"name\":\"Kim\"}\n"), "{tested}");

    let fired = home.json(&["trigger", "fire", "nightly"]);
    let job = fired["jobs"][0].as_str().expect("a job").to_owned();
    home.ok(&["wait", &job]);
    assert!(home.ok(&["logs", &job]).contains("Hello, Kim!"));
    let second = id_of(&home.ok(&["trigger", "fire", "nightly", "--wait"]));
    let history = home.json(&["trigger", "history", "nightly"]);
    assert_eq!((&history[0]["job_id"], &history[1]["job_id"]), (&json!(second), &json!(job)));
    assert_eq!((&history[0]["job_status"], &history[0]["host"]), (&json!("succeeded"), &json!(host)));
    let table = home.ok(&["trigger", "history", "nightly", "-n", "1"]);
    assert!(table.starts_with("TIME\tSTATUS\tHOST\tJOB\tENDED\tREASON\n") && table.lines().count() == 2, "{table}");

    // Editing only the expression keeps the time zone.
    home.ok(&[
        "trigger",
        "edit",
        "nightly",
        "--cron",
        "30 3 * * *",
        "--jitter",
        "5m",
        "--ends-at",
        "2099-01-01T00:00:00Z",
    ]);
    let edited = home.json(&["trigger", "show", "nightly"]);
    assert_eq!((&edited["timezone"], &edited["jitter"]), (&json!("Europe/Berlin"), &json!(300)));
    home.ok(&["trigger", "edit", "nightly", "--ends-at", "none", "--anywhere"]);
    let edited = home.json(&["trigger", "show", "nightly"]);
    assert_eq!((&edited["ends_at"], &edited["target"]), (&Value::Null, &Value::Null));

    home.ok(&["trigger", "disable", "nightly"]);
    assert!(home.ok(&["trigger", "list"]).contains("off\tnightly"));
    home.ok(&["trigger", "enable", "nightly"]);
    home.ok(&["trigger", "pause", "nightly", "--until", "2h"]);
    assert!(home.ok(&["trigger", "list"]).contains("paused\tnightly"));
    home.ok(&["trigger", "resume", "nightly"]);
    assert!(home.ok(&["trigger", "list"]).contains("on\tnightly"));
    assert!(refused(&home, &["trigger", "rm", "nightly"]).contains("--yes"));
    home.ok(&["trigger", "rm", "nightly", "--yes"]);
    assert_eq!(home.run(&["trigger", "show", "nightly"]).status.code(), Some(6));
    assert_eq!(process.stop(), Some(0));
}

#[test]
fn trigger_commands_manage_a_schedule_on_sqlite() {
    trigger_commands_manage_a_schedule(Kind::Sqlite);
}

#[test]
fn trigger_commands_manage_a_schedule_on_postgres() {
    trigger_commands_manage_a_schedule(Kind::Postgres);
}

#[test]
fn schedule_fires_at_its_time() {
    let home = Home::new(Kind::Sqlite);
    let (_process, host) = up(&home);
    home.ok(&["trigger", "create", "--label", "often", "--def", "hello", "--every", "1s", "--on", &host]);
    let fire = until("a fire of the clock", || {
        let history = home.json(&["trigger", "history", "often"]);
        let all = history.as_array().cloned().unwrap_or_default();
        all.into_iter().find(|fire| fire["status"] == "fired" && fire["job_status"] == "succeeded")
    });
    let job = home.json(&["job", "show", fire["job_id"].as_str().expect("a job")]);
    assert_eq!((&job["source"], &job["definition_key"]), (&json!("schedule"), &json!("hello")));
}

#[test]
fn event_creates_one_job_within_the_dedupe_window() {
    let home = Home::new(Kind::Sqlite);
    let (_process, _) = up(&home);
    home.ok(&[
        "trigger",
        "create",
        "--label",
        "changed",
        "--def",
        "hello",
        "name={{ event.folder }}",
        "--on-event",
        "folder.changed",
        "--match",
        r#"{"size": {"gt": 3}}"#,
        "--dedupe-window",
        "10m",
    ]);
    let data = r#"{"folder": "/photos", "size": 5}"#;
    let first = home.run(&["event", "emit", "folder.changed", data, "--correlation-id", "upload-7"]);
    assert!(stderr_of(&first, 0).contains("sent folder.changed: 1 trigger matched, 1 job created, 0 deduplicated"));
    let job = String::from_utf8_lossy(&first.stdout).trim().to_owned();
    home.ok(&["wait", &job]);
    let result = home.json(&["job", "show", &job]);
    assert_eq!((&result["source"], &result["correlation_id"]), (&json!("event"), &json!("upload-7")));
    assert_eq!(result["payload"], json!({"name": "/photos"}));
    let again = with_input(&home, &["event", "emit", "folder.changed", "-"], data);
    assert!(stderr_of(&again, 0).contains("1 trigger matched, 0 jobs created, 1 deduplicated"));
    let other = home.json(&["event", "emit", "folder.changed", r#"{"folder": "/b", "size": 1}"#]);
    assert_eq!((&other["triggers"], &other["jobs"]), (&json!(0), &json!([])));
    let kept = home.json(&["event", "list", "--type", "folder.", "-n", "2"]);
    assert_eq!((kept.as_array().map(Vec::len), &kept[1]["data"]["folder"]), (Some(2), &json!("/b")));

    let held = home.ok(&["trigger", "test", "changed"]);
    assert!(held.contains(&format!("; job {job} has the same dedupe key, so none is created")), "{held}");
    assert!(held.contains("would have fired for 2 of 3 recent events"), "{held}");
    std::fs::write(file(&home, "event.json"), r#"{"folder": "/c", "size": 9}"#).expect("writes");
    let event = file(&home, "event.json");
    let free = home.ok(&["trigger", "test", "changed", "--event", event.to_str().expect("a path")]);
    assert!(free.contains("would create a job of hello on ") && free.contains(" with {\"name\":\"/c\"}\n"), "{free}");
    // A template slot without a value in the event is reported, and no job is created.
    let partial = home.run(&["event", "emit", "folder.changed", r#"{"size": 9}"#]);
    assert!(stderr_of(&partial, 3).contains("there is no `event.folder`"));
}

#[test]
fn backfill_creates_jobs_for_past_times_once() {
    let home = Home::new(Kind::Sqlite);
    let (_process, _) = up(&home);
    home.ok(&["trigger", "create", "--label", "daily", "--def", "hello", "--cron", "@daily"]);
    let range = ["trigger", "backfill", "daily", "--from", "2026-01-01T00:00:00Z", "--until", "2026-01-03T12:00:00Z"];
    let dry = home.run(&[&range[..], &["--dry-run"]].concat());
    assert!(stderr_of(&dry, 20).contains("would create jobs for 3 times of daily"));
    assert!(refused(&home, &range).contains("Create jobs for 3 times of daily"));
    let made = home.json(&[&range[..], &["--yes"]].concat());
    let jobs: Vec<&str> = made["jobs"].as_array().expect("jobs").iter().filter_map(Value::as_str).collect();
    assert_eq!(jobs.len(), 3);
    home.ok(&[&["wait"], &jobs[..]].concat());
    assert!(stderr_of(&home.run(&[&range[..], &["--yes"]].concat()), 0).contains("nothing to backfill: 3 times"));
}

#[test]
fn apply_creates_and_updates_triggers_from_files() {
    let home = Home::new(Kind::Sqlite);
    let (_process, _) = up(&home);
    let path = file(&home, "triggers.toml");
    let write = |hour: u32| {
        let text = format!(
            "[[trigger]]\nlabel = \"nightly\"\ndefinition_key = \"hello\"\ncron_expr = \"0 {hour} * * *\"\n\
             timezone = \"Europe/Berlin\"\ntarget = {{ selector = \"env=prod\" }}\n\n\
             [[trigger]]\nlabel = \"changed\"\ndefinition_key = \"hello\"\nevent_name = \"a.b\"\n\
             starts_at = \"2026-12-01T00:00:00Z\"\n"
        );
        std::fs::write(&path, text).expect("writes");
    };
    write(2);
    let args = ["trigger", "apply", "-f", path.to_str().expect("a path")];
    let dry = [&args[..], &["--dry-run"]].concat();
    assert!(stderr_of(&home.run(&dry), 20).contains("+ nightly"));
    assert_eq!(home.json(&["trigger", "list"]), json!([]), "a dry run creates nothing");
    assert!(stderr_of(&home.run(&args), 0).contains("+ changed"));
    let same = stderr_of(&home.run(&dry), 0);
    assert!(same.contains("= nightly") && same.contains("= changed"), "{same}");
    write(3);
    let changed = stderr_of(&home.run(&args), 0);
    assert!(changed.contains("~ nightly: cron_expr \"0 2 * * *\" → \"0 3 * * *\""), "{changed}");
    assert_eq!(home.json(&["trigger", "list"]).as_array().map(Vec::len), Some(2));
    assert!(stderr_of(&home.run(&dry), 0).contains("= nightly"), "unchanged after the apply");
    std::fs::write(&path, "label = \"x\"\ndefinition_key = \"hello\"\ncorn_expr = \"@daily\"\n").expect("writes");
    assert!(refused(&home, &args).contains("unknown field `corn_expr`"));
}

#[test]
fn import_creates_definitions_and_triggers_of_supported_lines() {
    let home = Home::new(Kind::Sqlite);
    let crontab = "MAILTO=me\n# Say hello\n0 4 * * 1-5 /bin/echo 'good morning'\n*/5 * * * * cd /srv && poll\n\
                   @reboot start\n0 0 30 2 * never\n";
    let report = with_input(&home, &["trigger", "import", "-"], crontab);
    assert!(stderr_of(&report, 0).contains("1 of 4 lines can be imported"), "needs no hub");
    let report = String::from_utf8_lossy(&report.stdout).into_owned();
    for part in [
        "line 1: · variable MAILTO=me",
        "line 3: ✓ at 04:00 on Monday to Friday: /bin/echo 'good morning'",
        "line 4: ! needs a shell, `&` needs a shell: cd /srv && poll",
        "line 5: ✕ it runs when the machine starts",
        "line 6: ✕ `0 0 30 2 *` never fires",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let (_process, host) = up(&home);
    let apply = ["trigger", "import", "-", "--apply", "--on", &host, "--tz", "Europe/Berlin"];
    for mark in ["+ Say hello (cron-echo-3)", "~ Say hello (cron-echo-3)"] {
        let taken = stderr_of(&with_input(&home, &apply, crontab), 0);
        assert!(taken.contains(mark) && taken.contains("imported 1 of 4 lines"), "{taken}");
    }
    let made = home.json(&["trigger", "list"]);
    assert_eq!((made.as_array().map(Vec::len), &made[0]["timezone"]), (Some(1), &json!("Europe/Berlin")));
    let job = id_of(&home.ok(&["trigger", "fire", "Say hello", "--wait"]));
    assert!(home.ok(&["logs", &job]).contains("good morning"));
}

#[test]
fn schedule_explain_shows_catch_up_and_skip_of_a_sleeping_host() {
    let home = Home::new(Kind::Sqlite);
    let (_process, host) = up(&home);
    home.ok(&["host", "set", &host, "--always-on", "false"]);
    for (label, hour, missed) in [("backup-home", "2", "once"), ("tidy", "3", "skip"), ("report", "9", "once")] {
        let cron = format!("0 {hour} * * *");
        home.ok(&[
            "trigger", "create", "--label", label, "--def", "hello", "--cron", &cron, "--on", &host, "--missed", missed,
        ]);
    }
    home.ok(&["trigger", "create", "--label", "anywhere", "--def", "hello", "--cron", "@daily"]);
    let explain = ["schedule", "explain", "--host", &host, "--asleep", "22:00-08:00", "--days", "2"];
    let result = home.ok(&explain);
    for part in [
        "02:00\tbackup-home\tasleep → caught up ",
        "08:01 (settle 60s)",
        "03:00\ttidy\tasleep → skipped (missed: skip)",
        "09:00\treport\truns",
    ] {
        assert!(result.contains(part), "{part}: {result}");
    }
    let all = home.json(&explain);
    assert!(
        all.as_array().is_some_and(|all| all.len() >= 5 && all.iter().all(|one| one["label"] != "anywhere")),
        "{all}"
    );
    assert!(
        refused(&home, &["schedule", "explain", "--host", &host, "--asleep", "22"]).contains("--asleep 22:00-08:00")
    );
}

#[test]
fn invalid_triggers_and_events_are_rejected_with_a_reason() {
    let home = Home::new(Kind::Sqlite);
    let (_process, _) = up(&home);
    let create = ["trigger", "create", "--label", "x", "--def", "hello"];
    for (args, part) in [
        (&["--cron", "0 0 30 2 *"][..], "`0 0 30 2 *` never fires"),
        (&["--cron", "1--100000000 * * * *"], "`1--100000000` in the minute field"),
        (&["--cron", "@daily", "--tz", "Europe/Berln"], "did you mean Europe/Berlin?"),
        (&["--cron", "@daily", "name={{ schedule.noon }}"], "there is no `schedule.noon`"),
        (&["--cron", "@daily", "nome=x"], "'nome' was unexpected"),
        (&["--cron", "@daily", "--missed", "never"], "`never` is not one of skip, once, all"),
        (&["--cron", "@daily", "--on", "nobody"], "nobody"),
        (&["--cron", "@daily", "--place", "host"], "place: host needs a target host"),
        (&["--on-event", "a.b", "--match", r#"{"a": {"regex": "x"}}"#], "there is no test `regex`"),
        (&["--on-event", "A B"], "is not a valid event name"),
        (&["--every", "15"], "@every 15"),
        (&[], "a trigger needs a schedule or an event"),
    ] {
        let output = home.run(&[&create[..], args].concat());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(2 | 6)) && stderr.contains(part), "{args:?}: {stderr}");
    }
    assert!(refused(&home, &["trigger", "create", "--cron", "@daily"]).contains("--label NAME --def KEY"));
    assert!(refused(&home, &["event", "emit", "job.done"]).contains("reserved for Hostler"));
    assert!(refused(&home, &["event", "emit", "a.b", "[1]"]).contains("must be a JSON object"));
    assert_eq!(home.json(&["trigger", "list"]), json!([]));
}
