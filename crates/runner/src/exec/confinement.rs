//! The isolation and the users of runs: decided once for all runs of a runner.

use std::{
    ffi::CString,
    fs,
    io::{self, Read as _},
    os::unix::{
        ffi::OsStrExt as _,
        fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown, symlink},
    },
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use domain::OrgId;
use shim::Isolation;
use tokio::{process::Command, time::sleep};

use super::{
    Shim, User,
    account::{Account, JobUser, OrgUsers},
};

domain::string_enum! {
    /// How runs are kept away from Hostler's data folders: the setting `runner.isolation`.
    #[derive(Default)]
    pub enum IsolationLevel {
        /// A mount namespace hides the folders, and Landlock keeps root from undoing it.
        #[default]
        Full = "full",
        /// A mount namespace only: programs may mount, and root can undo it.
        Namespace = "namespace",
        /// Nothing.
        Off = "off",
    }
}

/// Folder of a run that its program may use, in the run folder.
const JOB_FOLDER: &str = "job";
/// Working directory of a run, in that folder.
const WORK_FOLDER: &str = "work";
/// File in which a program may store the output value of its job, in the same folder.
const RESULT_FILE: &str = "result.json";
/// Ending of the folder beside the data folder for runs of other users, where the data folder cannot be hidden.
const OUTSIDE: &str = ".jobs";
/// Attempts to execute the shim, and the pause between them, while its file is busy.
const BUSY_TRIES: u32 = 100;
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// The settings of a [`Confinement`].
#[derive(Clone, Debug, Default)]
pub struct ConfinementSettings {
    pub data_folder: PathBuf,
    /// More folders to hide. Folders that do not exist are ignored.
    pub hidden: Vec<PathBuf>,
    pub job_user: JobUser,
    pub level: IsolationLevel,
    /// The home folder of programs; it is never hidden.
    pub home: Option<PathBuf>,
}

/// The isolation that a machine offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    pub has_namespace: bool,
    /// Version of Landlock; 0 without a usable one.
    pub landlock_abi: i32,
}

/// The isolation and the users of all runs of a runner.
#[derive(Debug)]
pub struct Confinement {
    job_user: JobUser,
    org_users: OrgUsers,
    /// Canonical paths, none inside of another.
    hidden: Vec<PathBuf>,
    is_landlocked: bool,
    /// Parent of the job folders of other users, where the data folder cannot be hidden.
    outside: PathBuf,
    /// This program, if it is in a hidden folder: definitions may run it.
    own_program: Option<PathBuf>,
    offer: Offer,
    gaps: Vec<String>,
}

impl Confinement {
    /// Tries the isolation of this machine, and decides.
    pub async fn open(settings: ConfinementSettings, shim: &Shim) -> Self {
        let offer = match settings.level {
            IsolationLevel::Off => Offer::default(),
            _ => Offer::probe(shim, &settings.data_folder).await,
        };
        Self::with_offer(settings, offer)
    }

    /// Without isolation and with the runner's own user for every run.
    #[must_use]
    pub fn none(data_folder: &Path) -> Self {
        let level = IsolationLevel::Off;
        let settings = ConfinementSettings { data_folder: data_folder.to_owned(), level, ..Default::default() };
        Self::with_offer(settings, Offer::default())
    }

    fn with_offer(settings: ConfinementSettings, offer: Offer) -> Self {
        let ConfinementSettings { data_folder, hidden, job_user, level, home } = settings;
        let data_folder = fs::canonicalize(&data_folder).unwrap_or(data_folder);
        let (wanted, mut gaps) = folders_to_hide(&data_folder, hidden, home.as_deref());
        let has_namespace = level != IsolationLevel::Off && offer.has_namespace;
        let is_landlocked = level == IsolationLevel::Full && has_namespace && offer.landlock_abi > 0;
        match level {
            IsolationLevel::Off => gaps = vec!["runner.isolation is off".to_owned()],
            _ if !has_namespace => {
                gaps.push(
                    "this machine offers no mount namespaces, so jobs of the same user can read the data folder".into(),
                );
            }
            IsolationLevel::Namespace => gaps.push("runner.isolation leaves out Landlock, so root can undo it".into()),
            IsolationLevel::Full if !is_landlocked => {
                gaps.push("the kernel offers no Landlock (Linux 5.19 or later), so root can undo it".into());
            }
            IsolationLevel::Full => {}
        }
        let hidden = if has_namespace { wanted } else { Vec::new() };
        let own_program =
            std::env::current_exe().ok().filter(|path| hidden.iter().any(|folder| path.starts_with(folder)));
        let mut outside = data_folder.clone().into_os_string();
        outside.push(OUTSIDE);
        Self {
            job_user,
            org_users: OrgUsers::in_folder(&data_folder),
            is_landlocked: is_landlocked && !hidden.is_empty(),
            hidden,
            outside: outside.into(),
            own_program,
            offer,
            gaps,
        }
    }

    /// Parts of the isolation that are not in force, each with its reason.
    #[must_use]
    pub fn gaps(&self) -> &[String] {
        &self.gaps
    }

    /// The isolation that this machine offers.
    #[must_use]
    pub fn offer(&self) -> Offer {
        self.offer
    }

    /// The user for a run of this org, whose definition or server may name one; `None` for the runner's own.
    pub(crate) fn account(&self, named: Option<&str>, org: OrgId) -> Result<Option<Account>, String> {
        match (named, &self.job_user) {
            (Some(name), _) => Account::find(name).map(Some),
            (None, JobUser::Named(name)) => Account::find(name).map(Some),
            (None, JobUser::PerOrg) if !nix::unistd::geteuid().is_root() => {
                Err("the runner must run as root for `runner.user = \"per-org\"`".to_owned())
            }
            (None, JobUser::PerOrg) => self.org_users.of(org).map(Some),
            (None, JobUser::Runner) => Ok(None),
        }
    }

    /// The isolation of a run that needs these paths.
    pub(crate) fn isolation(&self, paths: &[&Path]) -> Isolation {
        let paths = paths.iter().copied().chain(self.own_program.as_deref());
        let visible = paths.filter_map(|path| fs::canonicalize(path).ok());
        let visible =
            visible.filter(|path| self.hidden.iter().any(|folder| path.starts_with(folder) && path != folder));
        let text = |path: &Path| CString::new(path.as_os_str().as_bytes()).ok();
        Isolation {
            hidden: self.hidden.iter().filter_map(|path| text(path)).collect(),
            visible: visible.filter_map(|path| text(&path)).collect(),
            is_landlocked: self.is_landlocked,
        }
    }

    /// Whether programs of other users cannot enter the data folder: only its replacement in a mount namespace is open
    /// to them.
    pub(crate) fn is_data_folder_closed(&self) -> bool {
        self.hidden.is_empty()
    }

    /// Creates the folder of a run for its program, and returns its path.
    pub(crate) fn make_job_folder(&self, dir: &Path, user: Option<User>) -> io::Result<JobFolder> {
        let inside = dir.join(JOB_FOLDER);
        let folder = match (user, dir.file_name()) {
            (Some(_), Some(name)) if self.is_data_folder_closed() => {
                make_shared_folder(&self.outside)?;
                let folder = self.outside.join(name);
                match symlink(&folder, &inside) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                    _ => folder,
                }
            }
            _ => inside,
        };
        let job = JobFolder(folder);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(job.work())?;
        if let Some(User { uid, gid }) = user {
            for path in [&job.0, &job.work()] {
                chown(path, Some(uid), Some(gid))?;
            }
        }
        Ok(job)
    }
}

/// The folder of a run for its program.
pub(crate) struct JobFolder(PathBuf);

impl JobFolder {
    /// The folder of the run in this run folder.
    pub(crate) fn of(dir: &Path) -> Self {
        Self(dir.join(JOB_FOLDER))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.0.join(WORK_FOLDER)
    }

    pub(crate) fn result(&self) -> PathBuf {
        self.0.join(RESULT_FILE)
    }

    /// Reads the file with the output value, at most this many bytes. Its folder belongs to the program: a symbolic
    /// link there could lead to a file that only the runner may read, and a named pipe would block.
    pub(crate) fn read_result(&self, most: u64) -> io::Result<String> {
        let flags = (nix::fcntl::OFlag::O_NOFOLLOW | nix::fcntl::OFlag::O_NONBLOCK).bits();
        let file = fs::OpenOptions::new().read(true).custom_flags(flags).open(self.result())?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("the result is not a file"));
        }
        let mut text = String::new();
        file.take(most).read_to_string(&mut text)?;
        Ok(text)
    }

    /// Removes the folder with all that the program has left there.
    pub(crate) fn remove(dir: &Path) -> io::Result<()> {
        Self::remove_outside(dir)?;
        let inside = dir.join(JOB_FOLDER);
        match fs::symlink_metadata(&inside) {
            Ok(about) if about.is_dir() => fs::remove_dir_all(inside),
            Ok(_) => fs::remove_file(inside),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Removes the folder if it is outside of its run folder.
    pub(crate) fn remove_outside(dir: &Path) -> io::Result<()> {
        match fs::read_link(dir.join(JOB_FOLDER)) {
            Ok(target) if target.file_name() == dir.file_name() => match fs::remove_dir_all(target) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

/// Creates a folder whose entries other users can reach by name, but not list. A folder of another user is rejected: it
/// could be replaced.
pub(crate) fn make_shared_folder(folder: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o711).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => made?,
    }
    let about = fs::symlink_metadata(folder)?;
    if !about.is_dir() || about.uid() != nix::unistd::geteuid().as_raw() || about.mode() & 0o022 != 0 {
        return Err(io::Error::other(format!("{} can be changed by other users", folder.display())));
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o711))
}

/// The folders to hide, and why others are not hidden.
fn folders_to_hide(data_folder: &Path, more: Vec<PathBuf>, home: Option<&Path>) -> (Vec<PathBuf>, Vec<String>) {
    let home = home.and_then(|home| fs::canonicalize(home).ok());
    let mut found: Vec<PathBuf> = [data_folder.to_owned()].into_iter().chain(more).collect();
    found =
        found.into_iter().filter_map(|folder| fs::canonicalize(folder).ok()).filter(|folder| folder.is_dir()).collect();
    found.sort();
    found.dedup();
    let mut gaps = Vec::new();
    found.retain(|folder| {
        let is_needed = folder.parent().is_none() || home.as_ref().is_some_and(|home| home.starts_with(folder));
        if is_needed {
            gaps.push(format!("{} contains the home folder of jobs, so it is not hidden", folder.display()));
        }
        !is_needed
    });
    let all = found.clone();
    found.retain(|folder| !all.iter().any(|other| other != folder && folder.starts_with(other)));
    (found, gaps)
}

impl Offer {
    /// Tries it in a process of the shim.
    pub async fn probe(shim: &Shim, folder: &Path) -> Self {
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        for _ in 0..BUSY_TRIES {
            let mut command = Command::new(shim.path());
            command.arg("--probe").arg(&folder).env_clear();
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            match command.status().await {
                Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => sleep(BUSY_PAUSE).await,
                Ok(status) => {
                    let code = status.code().filter(|code| *code < 126).unwrap_or(0);
                    return Self { has_namespace: code % 2 == 1, landlock_abi: code / 2 };
                }
                Err(_) => break,
            }
        }
        Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Offer = Offer { has_namespace: true, landlock_abi: 7 };

    fn settings(folder: &Path, level: IsolationLevel) -> ConfinementSettings {
        ConfinementSettings { data_folder: folder.to_owned(), level, ..Default::default() }
    }

    #[test]
    fn gaps_name_what_is_not_enforced() {
        let folder = tempfile::tempdir().expect("a folder");
        let none = Offer::default();
        let old = Offer { landlock_abi: 0, ..FULL };
        for (level, offer, is_hidden, is_landlocked, gap) in [
            (IsolationLevel::Full, FULL, true, true, None),
            (IsolationLevel::Full, old, true, false, Some("no Landlock")),
            (IsolationLevel::Full, none, false, false, Some("no mount namespaces")),
            (IsolationLevel::Namespace, FULL, true, false, Some("leaves out Landlock")),
            (IsolationLevel::Off, FULL, false, false, Some("is off")),
        ] {
            let confinement = Confinement::with_offer(settings(folder.path(), level), offer);
            let isolation = confinement.isolation(&[]);
            assert_eq!(
                (isolation.hidden.len(), isolation.is_landlocked),
                (usize::from(is_hidden), is_landlocked),
                "{level}"
            );
            assert_eq!(confinement.gaps().len(), usize::from(gap.is_some()), "{level} {:?}", confinement.gaps());
            assert!(gap.is_none_or(|gap| confinement.gaps()[0].contains(gap)), "{level} {:?}", confinement.gaps());
        }
    }

    #[test]
    fn hidden_folders_are_outermost_and_never_contain_the_home_folder() {
        let root = tempfile::tempdir().expect("a folder");
        let path = |name: &str| root.path().join(name);
        for name in ["data/runs", "user/data", "other"] {
            fs::create_dir_all(path(name)).expect("makes");
        }
        symlink(path("other"), path("link")).expect("links");
        let more = vec![path("data/runs"), path("link"), path("other"), path("missing"), "/".into()];
        let (hidden, gaps) = folders_to_hide(&path("data"), more, Some(&path("user")));
        assert_eq!(hidden, [path("data"), path("other")]);
        assert_eq!(gaps.len(), 1, "the root folder: {gaps:?}");
        let (hidden, gaps) = folders_to_hide(&path("user/data"), vec![], Some(&path("user")));
        assert_eq!((hidden, gaps.len()), (vec![path("user/data")], 0), "a data folder below the home folder");
        let (hidden, gaps) = folders_to_hide(&path("user"), vec![], Some(&path("user")));
        assert_eq!((hidden.len(), gaps.len()), (0, 1), "both are the same folder");
    }

    #[test]
    fn only_paths_below_hidden_folders_are_made_visible() {
        let root = tempfile::tempdir().expect("a folder");
        let run = root.path().join("runs/1");
        fs::create_dir_all(&run).expect("makes");
        let confinement = Confinement::with_offer(settings(root.path(), IsolationLevel::Full), FULL);
        let isolation = confinement.isolation(&[&run, root.path(), Path::new("/tmp"), &run.join("missing")]);
        let expected = CString::new(run.as_os_str().as_bytes()).expect("no NUL");
        assert_eq!(isolation.visible, [expected]);
    }

    #[test]
    fn result_of_a_program_is_not_read_through_links_and_pipes() {
        let dir = tempfile::tempdir().expect("a folder");
        let confinement = Confinement::none(dir.path());
        let job = confinement.make_job_folder(dir.path(), None).expect("makes");
        let secret = dir.path().join("secret.key");
        fs::write(&secret, "secret").expect("writes");
        symlink(&secret, job.result()).expect("links");
        assert!(job.read_result(100).is_err(), "a symbolic link");
        fs::remove_file(job.result()).expect("removes");
        nix::unistd::mkfifo(&job.result(), nix::sys::stat::Mode::S_IRWXU).expect("makes");
        assert!(job.read_result(100).is_err(), "a named pipe");
        fs::remove_file(job.result()).expect("removes");
        fs::write(job.result(), "12345").expect("writes");
        assert_eq!(job.read_result(3).expect("reads"), "123");
    }

    #[test]
    fn folder_for_other_users_must_be_ours() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path().join("data.jobs");
        make_shared_folder(&folder).expect("makes");
        make_shared_folder(&folder).expect("exists");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).expect("own folder");
        assert!(make_shared_folder(&folder).is_err(), "others can write to it");
        let link = root.path().join("link.jobs");
        symlink("/tmp", &link).expect("links");
        assert!(make_shared_folder(&link).is_err(), "a symbolic link");
    }
}
