//! The file `spec`: the command, environment and limits of a run, written by the runner and read once by the shim.
//!
//! Entries of `key=value`, each ended by a NUL, the one byte that an argument cannot contain. The last entry is `end`;
//! without it the file is incomplete and rejected.

use std::ffi::{CStr, CString};

/// The longest run id, in bytes.
pub const RUN_ID_MAX: usize = 64;

/// The specification of a run: everything a shim needs to start it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Letters, digits, `-` and `_`.
    pub run_id: String,
    /// The program and its arguments; never empty. A program without a slash is searched for in `PATH` of `env`.
    pub argv: Vec<CString>,
    /// The whole environment, as `NAME=value`.
    pub env: Vec<CString>,
    /// The working directory, absolute.
    pub cwd: CString,
    /// The user to run as; the shim's own user if absent.
    pub user: Option<User>,
    /// Longest run time; absent means unlimited.
    pub timeout_ms: Option<u64>,
    /// Time between `SIGTERM` and `SIGKILL`.
    pub grace_ms: u64,
    pub caps: Caps,
    /// Whether standard error is written to standard output: keeps the exact order, loses which stream a line is from.
    pub is_merged: bool,
    /// Whether standard input is the named pipe `stdin` instead of `/dev/null`.
    pub has_stdin: bool,
    /// When the run must end unless its lease is renewed; absent for a run without a lease.
    pub fence: Option<Fence>,
    /// Resource limits; in force only where the shim can create a cgroup.
    pub limits: Limits,
    pub isolation: Isolation,
}

/// Folders that the processes of a run cannot reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Isolation {
    /// Folders that a mount namespace of the run covers with an empty folder. Absolute paths without symbolic links,
    /// none inside of another. Empty: the run gets no mount namespace.
    pub hidden: Vec<CString>,
    /// Files and folders below hidden folders that stay reachable by their paths.
    pub visible: Vec<CString>,
    /// Whether a Landlock domain keeps the processes from changing mounts and from reading other processes.
    pub is_landlocked: bool,
}

/// A user and a group, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User {
    pub uid: u32,
    pub gid: u32,
}

/// How much output is stored. Output between the head and the tail is counted and dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Size of the head: the first bytes of the output.
    pub head_bytes: u64,
    /// Size limit of the tail. The tail is a ring of two halves, so it holds between half of this and all of it.
    pub tail_bytes: u64,
}

/// Resource limits of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub memory_bytes: Option<u64>,
    /// In percent of one core: 150 is one and a half cores.
    pub cpu_percent: Option<u64>,
    /// Processes and threads together.
    pub processes: Option<u64>,
}

impl Limits {
    /// The period of `cpu.max`, in microseconds.
    pub const CPU_PERIOD_US: u64 = 100_000;

    /// The CPU time allowed in each period, in microseconds: the first number of `cpu.max`.
    #[must_use]
    pub fn cpu_quota_us(&self) -> Option<u64> {
        self.cpu_percent.map(|percent| percent * Self::CPU_PERIOD_US / 100)
    }
}

/// When a leased run must end.
///
/// The lease is a time of the boot clock, in milliseconds since boot with suspend included. The wall clock would not
/// do: it can be set back, and then this run could go on while the hub has already granted its work to another host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fence {
    /// When the lease expires, unless it is renewed.
    pub lease_until_ms: u64,
    /// The processes get `SIGTERM` this long before the lease expires.
    pub term_ms: u64,
    /// The processes get `SIGKILL` this long before the lease expires.
    pub kill_ms: u64,
}

/// Why a spec is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadSpec(pub &'static str);

impl std::fmt::Display for BadSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for BadSpec {}

impl Spec {
    /// Checks the run id, the program and the working directory.
    pub fn check(&self) -> Result<(), BadSpec> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_absolute = |path: &CString| path.as_bytes().first() == Some(&b'/') && path.as_bytes().len() > 1;
        let is_named = (1..=RUN_ID_MAX).contains(&self.run_id.len()) && self.run_id.bytes().all(is_plain);
        let has_program = self.argv.first().is_some_and(|program| !program.is_empty());
        for (is_good, what) in [
            (is_named, "the run id must be 1 to 64 letters, digits, `-` and `_`"),
            (has_program, "the program is missing"),
            (self.cwd.as_bytes().first() == Some(&b'/'), "the working directory is not an absolute path"),
            (self.isolation.hidden.iter().all(is_absolute), "a hidden folder is not an absolute path"),
            (self.isolation.visible.iter().all(is_absolute), "a visible path is not absolute"),
        ] {
            if !is_good {
                return Err(BadSpec(what));
            }
        }
        Ok(())
    }

    /// Encodes the spec for its file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut add = |key: &str, value: &[u8]| {
            for part in [key.as_bytes(), b"=", value, b"\0"] {
                bytes.extend_from_slice(part);
            }
        };
        add("hostler-spec", b"1");
        add("run_id", self.run_id.as_bytes());
        add("cwd", self.cwd.as_bytes());
        self.argv.iter().for_each(|arg| add("arg", arg.as_bytes()));
        self.env.iter().for_each(|variable| add("env", variable.as_bytes()));
        self.isolation.hidden.iter().for_each(|path| add("hidden", path.as_bytes()));
        self.isolation.visible.iter().for_each(|path| add("visible", path.as_bytes()));
        let fence = self.fence;
        for (key, number) in [
            ("uid", self.user.map(|user| u64::from(user.uid))),
            ("gid", self.user.map(|user| u64::from(user.gid))),
            ("timeout_ms", self.timeout_ms),
            ("grace_ms", Some(self.grace_ms)),
            ("head_bytes", Some(self.caps.head_bytes)),
            ("tail_bytes", Some(self.caps.tail_bytes)),
            ("merge_stderr", Some(u64::from(self.is_merged))),
            ("wants_stdin", Some(u64::from(self.has_stdin))),
            ("is_leased", Some(u64::from(fence.is_some()))),
            ("lease_until_ms", fence.map(|fence| fence.lease_until_ms)),
            ("fence_term_ms", fence.map(|fence| fence.term_ms)),
            ("fence_kill_ms", fence.map(|fence| fence.kill_ms)),
            ("memory_bytes", self.limits.memory_bytes),
            ("cpu_percent", self.limits.cpu_percent),
            ("processes", self.limits.processes),
            ("is_landlocked", Some(u64::from(self.isolation.is_landlocked))),
        ] {
            if let Some(number) = number {
                add(key, number.to_string().as_bytes());
            }
        }
        bytes.extend_from_slice(b"end\0");
        bytes
    }

    /// Decodes and checks the bytes of the file. Rejects an incomplete file.
    pub fn parse(bytes: &[u8]) -> Result<Self, BadSpec> {
        let body = bytes.strip_suffix(b"\0end\0").ok_or(BadSpec("the spec file is incomplete"))?;
        let body = body.strip_prefix(b"hostler-spec=1\0").ok_or(BadSpec("the spec file has an unknown version"))?;
        let entries = Entries(body);
        let user = match (entries.number("uid")?, entries.number("gid")?) {
            (Some(uid), Some(gid)) => Some(User { uid: narrow(uid)?, gid: narrow(gid)? }),
            (None, None) => None,
            _ => return Err(BadSpec("a user id needs a group id")),
        };
        let fence = if entries.is("is_leased")? {
            Some(Fence {
                lease_until_ms: entries.need("lease_until_ms")?,
                term_ms: entries.need("fence_term_ms")?,
                kill_ms: entries.need("fence_kill_ms")?,
            })
        } else {
            None
        };
        let spec = Self {
            run_id: String::from_utf8(entries.first("run_id").unwrap_or_default().to_vec()).unwrap_or_default(),
            argv: entries.all("arg"),
            env: entries.all("env"),
            cwd: entries.all("cwd").pop().unwrap_or_default(),
            user,
            timeout_ms: entries.number("timeout_ms")?,
            grace_ms: entries.need("grace_ms")?,
            caps: Caps { head_bytes: entries.need("head_bytes")?, tail_bytes: entries.need("tail_bytes")? },
            is_merged: entries.is("merge_stderr")?,
            has_stdin: entries.is("wants_stdin")?,
            fence,
            limits: Limits {
                memory_bytes: entries.number("memory_bytes")?,
                cpu_percent: entries.number("cpu_percent")?,
                processes: entries.number("processes")?,
            },
            isolation: Isolation {
                hidden: entries.all("hidden"),
                visible: entries.all("visible"),
                is_landlocked: entries.number("is_landlocked")?.is_some_and(|number| number != 0),
            },
        };
        spec.check()?;
        Ok(spec)
    }

    /// The value of an environment variable of the run.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&[u8]> {
        let value = |entry: &'_ CString| -> Option<usize> {
            let rest = entry.as_bytes().strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
            Some(rest.len())
        };
        self.env.iter().find_map(|entry| {
            let length = value(entry)?;
            entry.as_bytes().get(entry.as_bytes().len() - length..)
        })
    }

    /// Paths to try for the program, in order: the program itself if it contains a slash, else one for each folder of
    /// `PATH`.
    #[must_use]
    pub fn candidates(&self) -> Vec<CString> {
        let Some(program) = self.argv.first().map(CString::as_c_str).map(CStr::to_bytes) else { return Vec::new() };
        if program.contains(&b'/') {
            return vec![CString::new(program).unwrap_or_default()];
        }
        let path = self.variable("PATH").unwrap_or(b"/usr/local/bin:/usr/bin:/bin");
        path.split(|byte| *byte == b':')
            .filter(|folder| !folder.is_empty())
            .filter_map(|folder| CString::new([folder, b"/", program].concat()).ok())
            .collect()
    }
}

fn narrow(number: u64) -> Result<u32, BadSpec> {
    u32::try_from(number).map_err(|_| BadSpec("a user or group id is too large"))
}

struct Entries<'a>(&'a [u8]);

impl<'a> Entries<'a> {
    fn each(&self, key: &str) -> impl Iterator<Item = &'a [u8]> {
        let entries = self.0.split(|byte| *byte == 0);
        entries.filter_map(move |entry| entry.strip_prefix(key.as_bytes())?.strip_prefix(b"="))
    }

    fn first(&self, key: &str) -> Option<&'a [u8]> {
        self.each(key).next()
    }

    fn all(&self, key: &str) -> Vec<CString> {
        self.each(key).filter_map(|value| CString::new(value).ok()).collect()
    }

    fn number(&self, key: &str) -> Result<Option<u64>, BadSpec> {
        let Some(value) = self.first(key) else { return Ok(None) };
        let number = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
        number.map(Some).ok_or(BadSpec("the spec file contains an invalid number"))
    }

    fn need(&self, key: &str) -> Result<u64, BadSpec> {
        self.number(key)?.ok_or(BadSpec("the spec file lacks a number"))
    }

    fn is(&self, key: &str) -> Result<bool, BadSpec> {
        Ok(self.need(key)? != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> Spec {
        Spec {
            run_id: "01J-x_y".into(),
            argv: vec![c"sh".into(), c"".into(), c"a\nend=1".into()],
            env: vec![c"PATH=/a::/b".into(), c"X=".into(), CString::new(b"Y=\xff".to_vec()).expect("no NUL")],
            cwd: c"/tmp".into(),
            user: Some(User { uid: 1000, gid: 100 }),
            timeout_ms: Some(5),
            grace_ms: 6,
            caps: Caps { head_bytes: 7, tail_bytes: 8 },
            is_merged: true,
            has_stdin: false,
            fence: Some(Fence { lease_until_ms: 9, term_ms: 10, kill_ms: 11 }),
            limits: Limits { memory_bytes: Some(12), cpu_percent: None, processes: Some(13) },
            isolation: Isolation {
                hidden: vec![c"/data".into()],
                visible: vec![c"/data/runs/1".into(), c"/data/sock".into()],
                is_landlocked: true,
            },
        }
    }

    #[test]
    fn spec_round_trips_and_incomplete_spec_is_rejected() {
        let full = spec();
        let bare = Spec { user: None, timeout_ms: None, fence: None, ..spec() };
        for spec in [full, bare] {
            let bytes = spec.to_bytes();
            assert_eq!(Spec::parse(&bytes), Ok(spec));
            for length in 0..bytes.len() {
                assert!(Spec::parse(&bytes[..length]).is_err());
            }
        }
    }

    #[test]
    fn parse_rejects_a_spec_that_cannot_run() {
        for bad in [
            Spec { run_id: "a b".into(), ..spec() },
            Spec { run_id: String::new(), ..spec() },
            Spec { argv: vec![], ..spec() },
            Spec { cwd: c"here".into(), ..spec() },
            Spec { isolation: Isolation { hidden: vec![c"data".into()], ..spec().isolation }, ..spec() },
            Spec { isolation: Isolation { hidden: vec![c"/".into()], ..spec().isolation }, ..spec() },
            Spec { isolation: Isolation { visible: vec![c"".into()], ..spec().isolation }, ..spec() },
        ] {
            assert!(Spec::parse(&bad.to_bytes()).is_err());
        }
    }

    #[test]
    fn candidates_follow_the_path_of_the_run() {
        assert_eq!(spec().candidates(), [CString::from(c"/a/sh"), CString::from(c"/b/sh")]);
        let direct = Spec { argv: vec![c"./x".into()], ..spec() };
        assert_eq!(direct.candidates(), [CString::from(c"./x")]);
    }
}
