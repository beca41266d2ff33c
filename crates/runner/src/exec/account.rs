//! The user that a run gets: the runner's own, another user of this machine, or a number of its own for each org.
//!
//! Numbers of orgs have no entry in `/etc/passwd`, like the dynamic users of systemd. They are taken in ascending order
//! from a range that no distribution and no container tool assigns, and are stored, because files of an org must not
//! become those of another.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    ffi::OsString,
    fs,
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Mutex, PoisonError},
};

use domain::OrgId;

use super::User;

/// User and group ids of orgs. systemd assigns ids up to 1,879,048,191, and ids above 2,147,483,647 break programs that
/// use signed numbers.
pub const ORG_UIDS: std::ops::RangeInclusive<u32> = 1_900_000_000..=1_900_065_535;
/// The file with the assigned ids, in the data folder.
const FILE: &str = "job-users.json";
/// The value of `runner.user` for one user per org.
const PER_ORG: &str = "per-org";

/// The user of runs whose definition or server names none: the setting `runner.user`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum JobUser {
    /// The user of the runner.
    #[default]
    Runner,
    /// A user of this machine.
    Named(String),
    /// A user per org, without an account.
    PerOrg,
}

impl FromStr for JobUser {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.trim() {
            "" => Self::Runner,
            PER_ORG => Self::PerOrg,
            name => Self::Named(name.to_owned()),
        })
    }
}

/// A user to run as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    /// `None` for the runner's own user.
    pub(crate) ids: Option<User>,
    pub(crate) name: String,
    /// `None` for a user without an account: then the working directory takes its place.
    pub(crate) home: Option<PathBuf>,
}

impl Account {
    /// Looks up a user of this machine by name or id.
    pub(crate) fn find(text: &str) -> Result<Self, String> {
        let found = match text.parse::<u32>() {
            Ok(uid) => nix::unistd::User::from_uid(uid.into()),
            Err(_) => nix::unistd::User::from_name(text),
        };
        let found = found.map_err(|error| format!("cannot look up the user `{text}`: {error}"))?;
        let found = found.ok_or_else(|| format!("there is no user `{text}` on this machine"))?;
        let own = nix::unistd::geteuid();
        if found.uid != own && !own.is_root() {
            return Err(format!("the runner must run as root to start a program as user `{text}`"));
        }
        let ids = User { uid: found.uid.as_raw(), gid: found.gid.as_raw() };
        Ok(Self { ids: (found.uid != own).then_some(ids), name: found.name, home: Some(found.dir) })
    }

    /// Sets the variables of the user in the environment of a run with this working directory.
    pub(crate) fn set_environment(&self, env: &mut BTreeMap<OsString, OsString>, work: &Path) {
        env.insert("USER".into(), self.name.clone().into());
        env.insert("LOGNAME".into(), self.name.clone().into());
        env.insert("HOME".into(), self.home.as_deref().unwrap_or(work).into());
    }
}

/// The users of orgs, stored in a file of the data folder.
#[derive(Debug)]
pub(super) struct OrgUsers {
    path: PathBuf,
    /// `None` until the file is read.
    assigned: Mutex<Option<BTreeMap<OrgId, u32>>>,
}

impl OrgUsers {
    pub(super) fn in_folder(data_folder: &Path) -> Self {
        Self { path: data_folder.join(FILE), assigned: Mutex::default() }
    }

    /// The user of this org. The first call for an org assigns and stores the next id.
    pub(super) fn of(&self, org: OrgId) -> Result<Account, String> {
        let failed = |error: io::Error| format!("cannot assign a user to the org: {}: {error}", self.path.display());
        let mut known = self.assigned.lock().unwrap_or_else(PoisonError::into_inner);
        let mut assigned = match known.take() {
            Some(assigned) => assigned,
            None => read(&self.path).map_err(failed)?,
        };
        if !assigned.contains_key(&org) {
            let next = assigned.values().max().map_or(*ORG_UIDS.start(), |last| last + 1);
            if !ORG_UIDS.contains(&next) {
                *known = Some(assigned);
                return Err(format!("all {} users of orgs are assigned", ORG_UIDS.count()));
            }
            assigned.insert(org, next);
            write(&self.path, &assigned).map_err(failed)?;
        }
        let uid = assigned[&org];
        *known = Some(assigned);
        let number = uid - ORG_UIDS.start();
        Ok(Account { ids: Some(User { uid, gid: uid }), name: format!("hostler-{number}"), home: None })
    }
}

fn read(path: &Path) -> io::Result<BTreeMap<OrgId, u32>> {
    match fs::read(path) {
        Ok(text) => Ok(serde_json::from_slice(&text)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(error),
    }
}

/// Writes the file under another name, syncs and renames it: after a power cut no id is assigned twice.
fn write(path: &Path, assigned: &BTreeMap<OrgId, u32>) -> io::Result<()> {
    let aside = path.with_extension("json.tmp");
    let mut file = fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&aside)?;
    file.write_all(&serde_json::to_vec(assigned)?)?;
    file.sync_all()?;
    fs::rename(aside, path)?;
    match path.parent() {
        Some(folder) => fs::File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn org(number: u8) -> OrgId {
        OrgId::from_bytes([number; 16])
    }

    #[test]
    fn each_org_has_its_own_user_also_after_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let uid = |users: &OrgUsers, number| users.of(org(number)).expect("a user").ids.expect("another user").uid;
        let users = OrgUsers::in_folder(folder.path());
        assert_eq!([9, 3, 9].map(|number| uid(&users, number)), [1_900_000_000, 1_900_000_001, 1_900_000_000]);
        let users = OrgUsers::in_folder(folder.path());
        assert_eq!([3, 9, 5].map(|number| uid(&users, number)), [1_900_000_001, 1_900_000_000, 1_900_000_002]);
        fs::write(folder.path().join(FILE), "{").expect("writes");
        let users = OrgUsers::in_folder(folder.path());
        assert!(users.of(org(3)).is_err(), "with an unreadable file no user is assigned");
    }

    #[test]
    fn orgs_beyond_the_range_get_no_user() {
        let folder = tempfile::tempdir().expect("a folder");
        write(&folder.path().join(FILE), &BTreeMap::from([(org(1), *ORG_UIDS.end())])).expect("writes");
        let users = OrgUsers::in_folder(folder.path());
        assert!(users.of(org(2)).expect_err("no user is left").contains("65536 users"));
        assert!(users.of(org(1)).is_ok(), "assigned before");
    }

    #[test]
    fn setting_names_the_runner_a_user_or_one_user_per_org() {
        for (text, expected) in
            [("", JobUser::Runner), ("per-org", JobUser::PerOrg), (" www-data", JobUser::Named("www-data".to_owned()))]
        {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn unknown_and_foreign_users_are_errors() {
        assert!(Account::find("no-such-user-here").expect_err("unknown").contains("no user `no-such-user-here`"));
        let own = nix::unistd::geteuid();
        let own_account = Account::find(&own.to_string()).map(|account| account.ids);
        assert_eq!(own_account, Ok(None), "the runner's own user needs no change");
        if !own.is_root() {
            assert!(Account::find("root").expect_err("not allowed").contains("must run as root"));
        }
    }
}
