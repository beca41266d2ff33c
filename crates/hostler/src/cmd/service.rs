//! Keeping Hostler running with the system: a systemd unit that does not kill what it runs.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use clap::Subcommand;
use proto::Code;

use crate::{
    cli::Globals,
    fail::{CHANGES_PENDING, Failure, Result},
    home, output, say,
};

/// Keep Hostler running with the system
#[derive(Subcommand, Clone, Copy)]
pub(crate) enum ServiceCommand {
    /// Write the unit, enable and start it
    Install {
        /// Run only the runner (after `hostler join`), not hub and web UI
        #[arg(long)]
        runner: bool,
        /// A unit of this user instead of the system's
        #[arg(long)]
        user: bool,
        /// Only print the unit
        #[arg(long)]
        print: bool,
    },
    /// Stop, disable and remove the unit; what it runs goes on
    Remove {
        /// The unit of this user
        #[arg(long)]
        user: bool,
    },
    /// What systemd says of it
    Status {
        /// The unit of this user
        #[arg(long)]
        user: bool,
    },
}

const UNIT: &str = "hostler.service";

pub(crate) fn service(globals: &Globals, command: ServiceCommand) -> Result<ExitCode> {
    match command {
        ServiceCommand::Install { runner, user, print } => install(globals, runner, user, print),
        ServiceCommand::Remove { user } => remove(globals, user),
        ServiceCommand::Status { user } => {
            let status = systemctl(user, &["status", "--no-pager", UNIT])?;
            Ok(if status { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
    }
}

fn install(globals: &Globals, is_runner: bool, is_user: bool, is_print: bool) -> Result<ExitCode> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::new(Code::Internal, "cannot find this program").because(&error))?;
    let folder = home::folder(globals.home.as_deref());
    let text = unit(&program, &folder, is_runner, is_user);
    if is_print {
        output::line(text.trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    let path = unit_path(is_user);
    if globals.dry_run {
        say::note(globals, format!("would write {} and start it", path.display()));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    home::prepare(&folder)?;
    let failed = |error: std::io::Error| {
        Failure::new(Code::FolderUnusable, format!("cannot write {}: {error}", path.display()))
            .hint("run it with sudo, or with --user")
    };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    fs::write(&path, text).map_err(failed)?;
    if systemctl(is_user, &["daemon-reload"])? && systemctl(is_user, &["enable", "--now", UNIT])? {
        say::done(globals, format!("{UNIT} is enabled and running ({})", path.display()));
        return Ok(ExitCode::SUCCESS);
    }
    Err(Failure::new(Code::Internal, format!("{} was written, but systemd did not start it", path.display()))
        .hint(format!("look: systemctl status {UNIT}")))
}

fn remove(globals: &Globals, is_user: bool) -> Result<ExitCode> {
    let path = unit_path(is_user);
    if !path.exists() {
        return Err(Failure::new(Code::NotFound, format!("there is no {}", path.display())));
    }
    if globals.dry_run {
        say::note(globals, format!("would stop {UNIT} and remove {}", path.display()));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    systemctl(is_user, &["disable", "--now", UNIT])?;
    fs::remove_file(&path)
        .map_err(|error| Failure::new(Code::FolderUnusable, format!("cannot remove {}: {error}", path.display())))?;
    systemctl(is_user, &["daemon-reload"])?;
    say::done(globals, format!("removed {}", path.display()));
    Ok(ExitCode::SUCCESS)
}

fn unit_path(is_user: bool) -> PathBuf {
    if !is_user {
        return PathBuf::from("/etc/systemd/system").join(UNIT);
    }
    let config = crate::config::environment("XDG_CONFIG_HOME").map(PathBuf::from);
    let home = crate::config::environment("HOME").map(|home| PathBuf::from(home).join(".config"));
    config.or(home).unwrap_or_default().join("systemd/user").join(UNIT)
}

/// Runs systemctl; says whether it succeeded.
fn systemctl(is_user: bool, args: &[&str]) -> Result<bool> {
    let mut command = Command::new("systemctl");
    if is_user {
        command.arg("--user");
    }
    let status = command.args(args).status().map_err(|error| {
        Failure::new(Code::NotFound, "systemd is not here").hint("start `hostler up` with your system's own service manager; `hostler service install --print` shows the unit").because(&error)
    })?;
    Ok(status.success())
}

/// The unit. `KillMode=process`: a stop or an upgrade ends Hostler alone, never the jobs and servers it runs.
fn unit(program: &Path, home: &Path, is_runner: bool, is_user: bool) -> String {
    let what = if is_runner { "runner" } else { "up" };
    let target = if is_user { "default.target" } else { "multi-user.target" };
    format!(
        "[Unit]
Description=Hostler {what}
After=network-online.target
Wants=network-online.target

[Service]
Type=notify
NotifyAccess=main
ExecStart=\"{program}\" {what} --home \"{home}\"
KillMode=process
KillSignal=SIGTERM
TimeoutStopSec=30
Restart=always
RestartSec=2
Delegate=yes
LimitNOFILE=65536

[Install]
WantedBy={target}
",
        program = escaped(program),
        home = escaped(home),
    )
}

/// A path as systemd reads it inside quotes.
fn escaped(path: &Path) -> String {
    path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_never_kills_what_it_runs() {
        let text = unit(Path::new("/usr/bin/hostler"), Path::new("/var/lib/hostler"), true, false);
        assert!(text.contains("KillMode=process") && text.contains("Delegate=yes"));
        assert!(text.contains("ExecStart=\"/usr/bin/hostler\" runner --home \"/var/lib/hostler\""));
        assert!(unit(Path::new("/h"), Path::new("/d"), false, true).contains("WantedBy=default.target"));
    }
}
