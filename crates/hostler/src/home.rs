//! The data folder: its location, its access check and its lock.

use std::{
    fs::{self, DirBuilder},
    os::unix::fs::DirBuilderExt as _,
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
    let probe = folder.join(".probe");
    fs::write(&probe, b"hostler").map_err(unusable)?;
    fs::read_dir(folder).map_err(unusable)?;
    fs::remove_file(&probe).map_err(unusable)?;
    rename_files(folder).map_err(unusable)
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
