//! The user of the system service: its account, and the change of the data folder's owner.

use std::{
    fs, io,
    os::unix::fs::{MetadataExt as _, lchown},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use nix::unistd::User;
use proto::Code;

use crate::{
    fail::{Failure, Result},
    globals::Globals,
    home, messages,
};

/// The user that is created for the service.
pub(super) const DEFAULT: &str = "hostler";
/// Folders with run folders, in the data folder.
const RUN_FOLDERS: [&str; 3] = ["runs", "own-runs", "servers"];

/// Returns the account of the service. The default one is created if it is missing.
pub(super) fn ensure(globals: &Globals, name: &str) -> Result<User> {
    if let Some(user) = find(name)? {
        return Ok(user);
    }
    if name != DEFAULT {
        return Err(Failure::new(Code::NotFound, format!("there is no user `{name}` on this machine"))
            .hint("create it first, or leave out --user"));
    }
    // A home folder outside of the data folder, because jobs of this user do not see the data folder.
    let args =
        ["--system", "--user-group", "--create-home", "--home-dir", "/home/hostler", "--shell", "/usr/sbin/nologin"];
    let made = Command::new("useradd").args(args).arg(DEFAULT).stdin(Stdio::null()).output();
    let hint = "create it yourself, or let the service run as root with --user root";
    let failed = |why: String| {
        Failure::new(Code::Internal, format!("cannot create the user {DEFAULT}: {}", why.trim())).hint(hint)
    };
    let made = made.map_err(|error| failed(format!("useradd: {error}")))?;
    if !made.status.success() {
        return Err(failed(String::from_utf8_lossy(&made.stderr).into_owned()));
    }
    messages::note(globals, format!("created the user {DEFAULT}"));
    find(name)?.ok_or_else(|| failed("the user does not appear".to_owned()))
}

fn find(name: &str) -> Result<Option<User>> {
    User::from_name(name)
        .map_err(|error| Failure::new(Code::Internal, format!("cannot look up the user `{name}`")).because(&error))
}

/// Gives the data folder to the user. A runner of another user cannot adopt processes of the former owner, so none may
/// run.
pub(super) fn hand_over(folder: &Path, user: &User) -> Result<()> {
    let failed = |error: io::Error| {
        Failure::new(Code::FolderUnusable, format!("cannot give {} to {}: {error}", folder.display(), user.name))
    };
    let former = fs::metadata(folder).map_err(failed)?.uid();
    if former == user.uid.as_raw() {
        return Ok(());
    }
    let keep = "or keep the service as it is with --user root";
    let _lock = home::lock(folder).map_err(|failure| failure.hint(format!("stop it first, {keep}")))?;
    if let Some(run) = running(folder) {
        return Err(Failure::new(
            Code::FolderUnusable,
            format!("a job or server of the former user is running in {}", run.display()),
        )
        .hint(format!("stop the jobs and servers of this machine first, {keep}")));
    }
    change_owner(folder, former, user).map_err(failed)
}

/// A run folder with the socket of a shim, which exists only while the run lasts.
fn running(folder: &Path) -> Option<PathBuf> {
    let runs = RUN_FOLDERS.iter().filter_map(|name| fs::read_dir(folder.join(name)).ok()).flatten().flatten();
    runs.map(|entry| entry.path()).find(|run| run.join("sock").exists())
}

/// Changes the owner of everything that belongs to the former owner. Follows no symbolic links, and leaves out files with
/// several names: one of them may be outside of the folder.
fn change_owner(path: &Path, former: u32, user: &User) -> io::Result<()> {
    let about = fs::symlink_metadata(path)?;
    if about.uid() != former || about.is_file() && about.nlink() > 1 {
        return Ok(());
    }
    if about.is_dir() {
        for entry in fs::read_dir(path)? {
            change_owner(&entry?.path(), former, user)?;
        }
    }
    lchown(path, Some(user.uid.as_raw()), Some(user.gid.as_raw()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn nobody() -> Option<User> {
        if !nix::unistd::geteuid().is_root() {
            // Only root can change owners.
            return None;
        }
        Some(User::from_uid(65_534.into()).expect("a lookup").expect("the user exists"))
    }

    #[test]
    fn data_folder_is_handed_over_without_files_of_others() {
        let Some(user) = nobody() else { return };
        let root = tempfile::tempdir().expect("a folder");
        let data = root.path().join("data");
        fs::create_dir_all(data.join("runs/1/job")).expect("makes");
        for name in ["data/hub.db", "data/runs/1/log", "outside", "data/runs/1/job/file"] {
            fs::write(root.path().join(name), "").expect("writes");
        }
        fs::hard_link(root.path().join("outside"), data.join("linked")).expect("links");
        symlink(root.path().join("outside"), data.join("pointer")).expect("links");
        lchown(data.join("runs/1/job"), Some(1), Some(1)).expect("root");
        hand_over(&data, &user).expect("hands over");
        let owner = |name: &str| fs::symlink_metadata(root.path().join(name)).expect("exists").uid();
        for (name, expected) in [
            ("data", 65_534),
            ("data/hub.db", 65_534),
            ("data/runs/1/log", 65_534),
            ("data/pointer", 65_534),
            ("outside", 0),
            ("data/runs/1/job", 1),
            ("data/runs/1/job/file", 0),
        ] {
            assert_eq!(owner(name), expected, "{name}");
        }
    }

    #[test]
    fn data_folder_with_a_running_job_is_not_handed_over() {
        let Some(user) = nobody() else { return };
        let data = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(data.path().join("servers/1")).expect("makes");
        fs::write(data.path().join("servers/1/sock"), "").expect("writes");
        let failure = hand_over(data.path(), &user).expect_err("refused");
        assert!(failure.problem.detail.contains("is running"), "{}", failure.problem.detail);
        assert_eq!(fs::metadata(data.path()).expect("exists").uid(), 0);
    }
}
