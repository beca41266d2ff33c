//! The file `spec`: what a shim is to run. Entries of `key=value`, each ended by a NUL, which no argument can hold.

use std::ffi::{CStr, CString};

/// The longest id of a run.
pub const RUN_ID_MAX: usize = 64;

/// What a shim is to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Letters, digits, `-` and `_`.
    pub run_id: String,
    /// The program and its arguments; at least one. Without a slash the program is looked for in `PATH` of `env`.
    pub argv: Vec<CString>,
    /// The whole environment, as `NAME=value`.
    pub env: Vec<CString>,
    /// The working folder, absolute.
    pub cwd: CString,
    /// Who to become, if not who the shim is.
    pub user: Option<User>,
    /// How long it may take; none means for ever.
    pub timeout_ms: Option<u64>,
    /// How long it has between being asked to end and being killed.
    pub grace_ms: u64,
    /// How much output is kept.
    pub caps: Caps,
    /// Whether standard error goes into standard output: exact order, but the streams are one.
    pub is_merged: bool,
    /// Whether it gets a pipe as standard input instead of nothing.
    pub has_stdin: bool,
    /// When it must end because nobody renewed its lease; none means never.
    pub fence: Option<Fence>,
    /// What it may use, where the system lets us say so.
    pub limits: Limits,
}

/// A user and a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User {
    /// The user's number.
    pub uid: u32,
    /// The group's number.
    pub gid: u32,
}

/// How much output is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// The first so many bytes.
    pub head_bytes: u64,
    /// At most so many of the last.
    pub tail_bytes: u64,
}

/// What a run may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory.
    pub memory_bytes: Option<u64>,
    /// Hundredths of a core.
    pub cpu_percent: Option<u64>,
    /// Processes and threads.
    pub processes: Option<u64>,
}

impl Limits {
    /// The period of shares of the processor, in microseconds.
    pub const CPU_PERIOD_US: u64 = 100_000;

    /// What of each period may be used, in microseconds.
    #[must_use]
    pub fn cpu_quota_us(&self) -> Option<u64> {
        self.cpu_percent.map(|percent| percent * Self::CPU_PERIOD_US / 100)
    }
}

/// When a leased run must end. Times are milliseconds since the boot, sleep included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fence {
    /// When the lease is over, unless it is renewed.
    pub lease_until_ms: u64,
    /// So long before that it is asked to end.
    pub term_ms: u64,
    /// So long before that it is killed.
    pub kill_ms: u64,
}

/// A spec that cannot be used, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadSpec(pub &'static str);

impl std::fmt::Display for BadSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for BadSpec {}

impl Spec {
    /// Whether a shim can run this.
    pub fn check(&self) -> Result<(), BadSpec> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_named = (1..=RUN_ID_MAX).contains(&self.run_id.len()) && self.run_id.bytes().all(is_plain);
        let has_program = self.argv.first().is_some_and(|program| !program.is_empty());
        for (is_good, what) in [
            (is_named, "the id of a run is 1 to 64 letters, digits, `-` and `_`"),
            (has_program, "there is no program to run"),
            (self.cwd.as_bytes().first() == Some(&b'/'), "the working folder is not absolute"),
        ] {
            if !is_good {
                return Err(BadSpec(what));
            }
        }
        Ok(())
    }

    /// As it lies in the file.
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
        ] {
            if let Some(number) = number {
                add(key, number.to_string().as_bytes());
            }
        }
        bytes.extend_from_slice(b"end\0");
        bytes
    }

    /// Read from the file.
    pub fn parse(bytes: &[u8]) -> Result<Self, BadSpec> {
        let body = bytes.strip_suffix(b"\0end\0").ok_or(BadSpec("the file is not complete"))?;
        let body = body.strip_prefix(b"hostler-spec=1\0").ok_or(BadSpec("the file is of another version"))?;
        let entries = Entries(body);
        let user = match (entries.number("uid")?, entries.number("gid")?) {
            (Some(uid), Some(gid)) => Some(User { uid: narrow(uid)?, gid: narrow(gid)? }),
            (None, None) => None,
            _ => return Err(BadSpec("a user needs a group")),
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
        };
        spec.check()?;
        Ok(spec)
    }

    /// The value of a variable of the environment.
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

    /// The files that may be the program, in the order they are tried.
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
    u32::try_from(number).map_err(|_| BadSpec("a number is too large"))
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
        number.map(Some).ok_or(BadSpec("a number cannot be read"))
    }

    fn need(&self, key: &str) -> Result<u64, BadSpec> {
        self.number(key)?.ok_or(BadSpec("a number is missing"))
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
        }
    }

    #[test]
    fn specs_round_trip_and_torn_ones_are_refused() {
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
    fn what_cannot_run_is_refused() {
        for bad in [
            Spec { run_id: "a b".into(), ..spec() },
            Spec { run_id: String::new(), ..spec() },
            Spec { argv: vec![], ..spec() },
            Spec { cwd: c"here".into(), ..spec() },
        ] {
            assert!(Spec::parse(&bad.to_bytes()).is_err());
        }
    }

    #[test]
    fn programs_are_looked_for_in_their_own_path() {
        assert_eq!(spec().candidates(), [CString::from(c"/a/sh"), CString::from(c"/b/sh")]);
        let direct = Spec { argv: vec![c"./x".into()], ..spec() };
        assert_eq!(direct.candidates(), [CString::from(c"./x")]);
    }
}
