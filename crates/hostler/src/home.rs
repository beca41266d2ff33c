//! The data folder: its location, its access check and its lock.

use std::{
    fs::{self, DirBuilder},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use proto::Code;

use crate::fail::{Failure, Result};

/// The data folder: `--home` or `HOSTLER_HOME`, else `/var/lib/hostler` for root, else the user's XDG data folder.
pub(crate) fn folder(explicit: Option<&Path>) -> PathBuf {
    if let Some(explicit) = explicit {
        return explicit.to_owned();
    }
    if nix::unistd::geteuid().is_root() {
        return PathBuf::from("/var/lib/hostler");
    }
    let data = crate::environment::environment("XDG_DATA_HOME").map(PathBuf::from);
    let home = crate::environment::environment("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    data.or(home).unwrap_or_else(|| PathBuf::from(".")).join("hostler")
}

/// Files whose name changed before the first release: the former name, and the current one.
const RENAMED_FILES: [(&str, &str); 2] = [("desk.json", "standalone.json"), ("home.json", "primary.json")];

/// Creates the folder with mode 0700 if it is missing, checks that it is writable, and renames files that an earlier
/// version wrote under another name.
pub(crate) fn prepare(folder: &Path) -> Result<()> {
    let unusable = |error: std::io::Error| {
        let code = if error.kind() == std::io::ErrorKind::StorageFull { Code::DiskFull } else { Code::FolderUnusable };
        Failure::new(code, format!("cannot use the data folder {}: {error}", folder.display()))
            .hint("check its owner and its free space, or choose another folder with --home or HOSTLER_HOME")
    };
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(unusable)?;
    let user_folder = crate::environment::environment("HOME").map(PathBuf::from);
    close(folder, user_folder.as_deref()).map_err(unusable)?;
    let probe = folder.join(".probe");
    fs::write(&probe, b"hostler").map_err(unusable)?;
    fs::read_dir(folder).map_err(unusable)?;
    fs::remove_file(&probe).map_err(unusable)?;
    rename_files(folder).map_err(unusable)
}

/// Takes all rights to the data folder from other users, among them users of jobs: the databases in it may be readable.
/// A home folder that is also the data folder keeps its rights.
fn close(folder: &Path, user_folder: Option<&Path>) -> std::io::Result<()> {
    let about = fs::metadata(folder)?;
    let is_own = about.uid() == nix::unistd::geteuid().as_raw();
    if !is_own || about.mode() & 0o077 == 0 || user_folder.is_some_and(|home| home == folder) {
        return Ok(());
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(about.mode() & 0o700))
}

/// Renames files of an earlier version. An existing file with the current name is newer and is not overwritten.
fn rename_files(folder: &Path) -> std::io::Result<()> {
    for (former, current) in RENAMED_FILES.map(|(former, current)| (folder.join(former), folder.join(current))) {
        if former.exists() && !current.exists() {
            fs::rename(former, current)?;
        }
    }
    Ok(())
}

/// The path of the hub's local socket.
pub(crate) fn socket(folder: &Path) -> PathBuf {
    folder.join("hub.sock")
}

/// The folder of the definitions that a host with `trust = "local"` may run.
pub(crate) fn catalogue(folder: &Path) -> PathBuf {
    folder.join("catalogue.d")
}

/// Locks the folder against a second hub or runner. The lock is held while the returned file is open.
pub(crate) fn lock(folder: &Path) -> Result<fs::File> {
    let path = folder.join("hub.lock");
    let file = fs::OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file =
        file.map_err(|error| Failure::new(Code::FolderUnusable, format!("cannot use {}: {error}", path.display())))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => {
            let detail = format!("another hub or runner uses the data folder {}", folder.display());
            Err(Failure::new(Code::DatabaseBusy, detail).hint("stop it first, or choose another folder with --home"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_folder_is_closed_to_other_users() {
        let folder = tempfile::tempdir().expect("a folder");
        let set = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).expect("own folder");
        let mode = || fs::metadata(folder.path()).expect("exists").mode() & 0o777;
        set(0o755);
        close(folder.path(), Some(folder.path())).expect("leaves it");
        assert_eq!(mode(), 0o755, "a home folder");
        close(folder.path(), Some(Path::new("/"))).expect("closes it");
        assert_eq!(mode(), 0o700);
        set(0o500);
        close(folder.path(), None).expect("leaves it");
        assert_eq!(mode(), 0o500, "no right is added");
    }

    #[test]
    fn prepare_renames_former_files_and_overwrites_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
        fs::write(folder.path().join("desk.json"), "identity").expect("writes");
        fs::write(folder.path().join("home.json"), "former").expect("writes");
        fs::write(folder.path().join("primary.json"), "current").expect("writes");
        prepare(folder.path()).expect("prepares");
        assert_eq!((read("desk.json"), read("standalone.json").as_deref()), (None, Some("identity")));
        assert_eq!((read("home.json").as_deref(), read("primary.json").as_deref()), (Some("former"), Some("current")));
        prepare(folder.path()).expect("prepares again");
        assert_eq!(read("standalone.json").as_deref(), Some("identity"));
    }
}
