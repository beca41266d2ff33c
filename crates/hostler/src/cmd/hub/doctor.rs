//! `hostler doctor`: checks of this machine and its hub, one line each, with a hint for each failure.

use std::{path::Path, process::ExitCode};

use domain::{Span, Timestamp, presence::CLOCK_SKEW_MAX};
use proto::Code;
use reqwest::Method;
use runner::IdentityFile;
use serde_json::{Value, json};

use super::{
    config,
    finding::{CheckResult, Finding},
    isolation,
};
use crate::{
    client::Client,
    config::Config,
    fail::{Failure, Result},
    globals::Globals,
    home,
    output::{self, column, text},
};

/// Less free space than this fails the check.
const FREE_BYTES_MIN: u64 = 512 * 1024 * 1024;

pub(crate) async fn doctor(globals: &Globals) -> Result<ExitCode> {
    let folder = home::folder(globals.home.as_deref());
    let settings = Config::load(&folder, globals.config.as_deref(), &[]);
    let mut checks: Vec<(&str, CheckResult)> = vec![
        ("settings", settings.and_then(|settings| config::check(&settings).map(|()| "valid".to_owned()))),
        ("data folder", home::prepare(&folder).map(|()| folder.display().to_string())),
        ("free space", free_space(&folder)),
    ];
    match Client::new(globals) {
        Ok(client) => {
            let info = client.send(Method::GET, "/api/v1/hub", None::<&()>).await;
            checks.push((
                "hub",
                info.as_ref()
                    .map(|info| format!("{} is reachable, version {}", client.name, text(info, "version")))
                    .map_err(copied),
            ));
            if let Ok(info) = &info {
                checks.push(("clock", clock(info, runtime::clock::wall())));
                checks.push(("version", version(info)));
                checks.push((
                    "database",
                    client.send(Method::GET, "/readyz", None::<&()>).await.map(|_| "reachable".to_owned()),
                ));
                checks.push((
                    "sign-in",
                    client.send(Method::GET, "/api/v1/me", None::<&()>).await.map(|me| text(&me, "name")),
                ));
                checks.push(("loops", loops(&client).await));
            }
        }
        Err(failure) => checks.push(("hub", Err(failure))),
    }
    checks.push(("runner", runner(&folder).await));
    let mut checks: Vec<(&str, Finding)> =
        checks.into_iter().map(|(check, result)| (check, Finding::of(result))).collect();
    // Invalid settings have failed above.
    if let Ok(config) = Config::load(&folder, globals.config.as_deref(), &[]) {
        checks.push(("isolation", isolation::isolation(&config, &folder).await));
        checks.push(("job users", isolation::job_users(&config, Client::new(globals).ok().as_ref()).await));
    }
    let has_failed = checks.iter().any(|(_, finding)| matches!(finding, Finding::Failed(_)));
    let rows: Vec<Value> = checks.into_iter().map(|(check, finding)| row(check, finding)).collect();
    output::list(
        globals,
        rows,
        "check",
        &[
            column("CHECK", |c| text(c, "check")),
            column("RESULT", |c| text(c, "result")),
            column("DETAIL", |c| text(c, "detail")),
            column("HINT", |c| text(c, "hint")),
        ],
    )?;
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn row(check: &str, finding: Finding) -> Value {
    match finding {
        Finding::Ok(detail) => json!({"check": check, "result": "ok", "detail": detail}),
        Finding::Warning { detail, hint } => {
            json!({"check": check, "result": "warning", "detail": detail, "hint": hint})
        }
        Finding::Failed(failure) => {
            json!({"check": check, "result": "FAILED", "detail": failure.problem.detail, "hint": failure.problem.hint, "code": failure.problem.code})
        }
    }
}

fn copied(failure: &Failure) -> Failure {
    Failure::from((*failure.problem).clone())
}

fn free_space(folder: &Path) -> CheckResult {
    let disks = sysinfo::Disks::new_with_refreshed_list()
        .map_err(|_| Failure::new(Code::Internal, "cannot list the disks of this machine"))?;
    let of = disks
        .iter()
        .filter(|disk| folder.starts_with(disk.mount_point()))
        .max_by_key(|disk| disk.mount_point().as_os_str().len());
    let Some(disk) = of else { return Ok("unknown".to_owned()) };
    let free = disk.available_space();
    if free < FREE_BYTES_MIN {
        return Err(Failure::new(
            Code::DiskFull,
            format!("only {} MiB free on {}", free >> 20, disk.mount_point().display()),
        )
        .hint("free space on this disk, or choose another data folder with --home"));
    }
    Ok(format!("{} GiB free on {}", free >> 30, disk.mount_point().display()))
}

fn clock(info: &Value, now: Timestamp) -> CheckResult {
    let Ok(theirs) = text(info, "time").parse::<Timestamp>() else {
        return Ok("unknown: the hub did not report its time".to_owned());
    };
    let skew = Span::from_millis((now.as_micros() - theirs.as_micros()).abs() / 1_000);
    if skew > CLOCK_SKEW_MAX {
        return Err(Failure::new(Code::ClockSkew, format!("the clocks of this machine and the hub differ by {skew}"))
            .hint("run `timedatectl set-ntp true` on both machines"));
    }
    Ok(format!("differs from the hub by {} ms", skew.as_millis()))
}

fn version(info: &Value) -> CheckResult {
    let theirs = text(info, "version");
    if theirs == proto::VERSION {
        return Ok(theirs);
    }
    let detail = format!("this client has version {}, the hub has version {theirs}", proto::VERSION);
    Err(Failure::new(Code::VersionMismatch, detail).hint("update the older one"))
}

/// Checks the background loops of the hub, which only super admins may read.
async fn loops(client: &Client) -> CheckResult {
    let answer = match client.send(Method::GET, "/api/v1/admin/loops", None::<&()>).await {
        Err(failure) if failure.problem.code == Code::Forbidden => {
            return Ok("not checked: only super admins may read them".to_owned());
        }
        other => other?,
    };
    let loops = answer.get("loops").and_then(Value::as_array).cloned().unwrap_or_default();
    let failing: Vec<String> = loops
        .iter()
        .filter(|l| !l["last_error"].is_null())
        .map(|l| format!("{}: {}", text(l, "name"), text(l, "last_error")))
        .collect();
    if failing.is_empty() {
        Ok(format!("{} without errors", output::count(loops.len(), "loop")))
    } else {
        Err(Failure::new(Code::Internal, failing.join("; ")).hint("see the log of the hub"))
    }
}

async fn runner(folder: &Path) -> CheckResult {
    let Some(identity) = IdentityFile::in_folder(folder).read()? else {
        return Ok("this machine has not joined a hub".to_owned());
    };
    let Some(url) = &identity.hub_url else { return Ok(format!("host {} of the hub on this machine", identity.name)) };
    let dial = runner::Dial::url(url)?;
    let _: Value = dial.ask(identity.hub_key, "GET", "/api/v1/hub", None, None::<&()>).await?;
    Ok(format!("host {} of {url}, which is reachable and has the expected key", identity.name))
}
