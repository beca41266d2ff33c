//! `hostler service`: a systemd unit for Hostler that does not kill running jobs and servers when it stops.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use clap::Subcommand;
use proto::Code;

use super::service_user;
use crate::{
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    home, messages, output,
};

/// Install Hostler as a system service
#[derive(Subcommand)]
pub(crate) enum ServiceCommand {
    /// Install the systemd unit, enable it and start it
    Install {
        /// Run only the runner (after `hostler join`), without hub and web UI
        #[arg(long)]
        runner: bool,
        /// User of the service: `--user root` for root; without a name a user unit is installed instead of a system unit
        /// [default: the user hostler, who is created]
        #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
        user: Option<String>,
        /// Print the unit instead of installing it
        #[arg(long)]
        print: bool,
    },
    /// Stop, disable and remove the unit; running jobs and servers continue
    Remove {
        /// Remove the user unit
        #[arg(long)]
        user: bool,
    },
    /// Show the state of the unit
    Status {
        /// Show the user unit
        #[arg(long)]
        user: bool,
    },
}

const UNIT: &str = "hostler.service";

pub(crate) fn service(globals: &Globals, command: ServiceCommand) -> Result<ExitCode> {
    match command {
        ServiceCommand::Install { runner, user, print } => install(globals, runner, &Owner::of(user), print),
        ServiceCommand::Remove { user } => remove(globals, user),
        ServiceCommand::Status { user } => {
            let status = systemctl(user, &["status", "--no-pager", UNIT])?;
            Ok(if status { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
    }
}

/// The user that the service runs as.
#[derive(Debug, PartialEq, Eq)]
enum Owner {
    /// The current user, in a user unit.
    Current,
    Root,
    Named(String),
}

impl Owner {
    fn of(argument: Option<String>) -> Self {
        let name = argument.unwrap_or_else(|| service_user::DEFAULT.to_owned());
        match name.as_str() {
            "" => Self::Current,
            "root" | "0" => Self::Root,
            _ => Self::Named(name),
        }
    }
}

fn install(globals: &Globals, is_runner: bool, owner: &Owner, is_print: bool) -> Result<ExitCode> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::new(Code::Internal, "cannot determine the path of this program").because(&error))?;
    let folder = home::folder(globals.home.as_deref());
    let text = unit(&program, &folder, is_runner, owner);
    let is_user = *owner == Owner::Current;
    if is_print {
        output::line(text.trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    let path = unit_path(is_user);
    if globals.dry_run {
        messages::note(globals, format!("would write {} and start it", path.display()));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    let failed = |error: std::io::Error| {
        Failure::new(Code::FolderUnusable, format!("cannot write {}: {error}", path.display()))
            .hint("run the command with sudo, or install a user unit with --user")
    };
    if !is_user && !nix::unistd::geteuid().is_root() {
        return Err(failed(std::io::ErrorKind::PermissionDenied.into()));
    }
    home::prepare(&folder)?;
    if let Owner::Named(name) = owner {
        service_user::hand_over(&folder, &service_user::ensure(globals, name)?)?;
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    fs::write(&path, text).map_err(failed)?;
    if systemctl(is_user, &["daemon-reload"])? && systemctl(is_user, &["enable", "--now", UNIT])? {
        messages::done(globals, format!("{UNIT} is enabled and running ({})", path.display()));
        return Ok(ExitCode::SUCCESS);
    }
    Err(Failure::new(Code::Internal, format!("{} was written, but systemd could not start {UNIT}", path.display()))
        .hint(format!("see `systemctl status {UNIT}`")))
}

fn remove(globals: &Globals, is_user: bool) -> Result<ExitCode> {
    let path = unit_path(is_user);
    if !path.exists() {
        return Err(Failure::new(Code::NotFound, format!("{} does not exist", path.display())));
    }
    if globals.dry_run {
        messages::note(globals, format!("would stop {UNIT} and remove {}", path.display()));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    systemctl(is_user, &["disable", "--now", UNIT])?;
    fs::remove_file(&path)
        .map_err(|error| Failure::new(Code::FolderUnusable, format!("cannot remove {}: {error}", path.display())))?;
    systemctl(is_user, &["daemon-reload"])?;
    messages::done(globals, format!("removed {}", path.display()));
    Ok(ExitCode::SUCCESS)
}

fn unit_path(is_user: bool) -> PathBuf {
    if !is_user {
        return PathBuf::from("/etc/systemd/system").join(UNIT);
    }
    let config = crate::environment::environment("XDG_CONFIG_HOME").map(PathBuf::from);
    let home = crate::environment::environment("HOME").map(|home| PathBuf::from(home).join(".config"));
    config.or(home).unwrap_or_default().join("systemd/user").join(UNIT)
}

/// Runs systemctl and returns whether it succeeded.
fn systemctl(is_user: bool, args: &[&str]) -> Result<bool> {
    let mut command = Command::new("systemctl");
    if is_user {
        command.arg("--user");
    }
    let status = command.args(args).status().map_err(|error| {
        Failure::new(Code::NotFound, "systemctl is not installed on this machine")
            .hint("start `hostler up` with the service manager of your system; `hostler service install --print` shows the unit")
            .because(&error)
    })?;
    Ok(status.success())
}

/// Options for a user without privileges. They take nothing from jobs that an ordinary user has: no privilege can be
/// gained, and the system calls need one. Options that hide files or devices, or that forbid namespaces or sockets, would
/// also apply to jobs and servers, because these are in the unit.
const HARDENING: &str = "NoNewPrivileges=yes
CapabilityBoundingSet=
RestrictRealtime=yes
SystemCallFilter=~@module @raw-io @swap
SystemCallErrorNumber=EPERM
";

/// The systemd unit. With `KillMode=process` a stop or an upgrade ends only Hostler, not its running jobs and servers.
fn unit(program: &Path, home: &Path, is_runner: bool, owner: &Owner) -> String {
    let subcommand = if is_runner { "runner" } else { "up" };
    let target = if *owner == Owner::Current { "default.target" } else { "multi-user.target" };
    let user = match owner {
        Owner::Named(name) => format!("User={name}\n{HARDENING}KeyringMode=private\nUMask=0077\n"),
        Owner::Root => "KeyringMode=private\nUMask=0077\n".to_owned(),
        Owner::Current => "UMask=0077\n".to_owned(),
    };
    format!(
        "[Unit]
Description=Hostler {subcommand}
After=network-online.target
Wants=network-online.target

[Service]
Type=notify
NotifyAccess=main
ExecStart=\"{program}\" {subcommand} --home \"{home}\"
{user}KillMode=process
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

/// Escapes a path for a quoted string of a systemd unit.
fn escaped(path: &Path) -> String {
    path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(owner: &Owner) -> String {
        unit(Path::new("/usr/bin/hostler"), Path::new("/var/lib/hostler"), true, owner)
    }

    #[test]
    fn unit_leaves_running_jobs_alive() {
        let text = of(&Owner::Root);
        assert!(text.contains("KillMode=process") && text.contains("Delegate=yes"));
        assert!(text.contains("ExecStart=\"/usr/bin/hostler\" runner --home \"/var/lib/hostler\""));
        assert!(unit(Path::new("/h"), Path::new("/d"), false, &Owner::Current).contains("WantedBy=default.target"));
    }

    #[test]
    fn unit_names_its_user_and_root_stays_unrestricted() {
        let text = of(&Owner::of(None));
        assert!(text.contains("\nUser=hostler\n") && text.contains("\nNoNewPrivileges=yes\n"), "{text}");
        let text = of(&Owner::of(Some("root".to_owned())));
        assert!(
            !text.contains("User=") && !text.contains("NoNewPrivileges"),
            "jobs of root may need everything: {text}"
        );
        assert!(of(&Owner::of(Some("ana".to_owned()))).contains("\nUser=ana\n"));
        assert_eq!(Owner::of(Some(String::new())), Owner::Current);
    }
}
