//! The file `started`: who began a run. It is put in place with `link`, so it is exclusive and complete at once.

use crate::fields::{self, Fields};

const TITLE: &str = "hostler-started 1";

/// Who has the right to this run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A shim took it and has begun, or is about to.
    Shim {
        /// The run, as its shim calls it.
        run_id: String,
        /// The boot it happened in.
        boot_id: String,
        /// The shim's process.
        pid: i32,
        /// When that process began, in the kernel's ticks: tells it from a later one with the same number.
        ticks: u64,
        /// The control group the run's processes are put in, where there is one.
        cgroup: Option<String>,
    },
    /// A runner took it: this run never begins.
    Void,
}

impl Marker {
    /// As it lies in the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = fields::begin(TITLE);
        match self {
            Self::Shim { run_id, boot_id, pid, ticks, cgroup } => {
                fields::add(&mut text, "run", run_id);
                fields::add(&mut text, "boot", boot_id);
                fields::add(&mut text, "pid", pid);
                fields::add(&mut text, "ticks", ticks);
                if let Some(cgroup) = cgroup {
                    fields::add(&mut text, "cgroup", cgroup);
                }
            }
            Self::Void => fields::add(&mut text, "void", "yes"),
        }
        fields::finish(&mut text);
        text
    }

    /// Read from the file; absent if it is not complete.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let fields = Fields::read(bytes, TITLE)?;
        if fields.text("void").is_some() {
            return Some(Self::Void);
        }
        Some(Self::Shim {
            run_id: fields.text("run")?.to_owned(),
            boot_id: fields.text("boot")?.to_owned(),
            pid: fields.number("pid")?,
            ticks: fields.number("ticks")?,
            cgroup: fields.text("cgroup").map(str::to_owned),
        })
    }
}

/// When a process began, from the text of `/proc/<pid>/stat`. The name in it may hold anything, so it is read from
/// behind.
#[must_use]
pub fn ticks_of(stat: &[u8]) -> Option<u64> {
    let after = stat.iter().rposition(|byte| *byte == b')')? + 2;
    let field = stat.get(after..)?.split(|byte| *byte == b' ').nth(19)?;
    std::str::from_utf8(field).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_round_trip_and_torn_ones_are_absent() {
        let cgroup = Some("/sys/fs/cgroup/x".into());
        let marker = Marker::Shim { run_id: "r".into(), boot_id: "b".into(), pid: 7, ticks: 9, cgroup };
        for marker in [marker, Marker::Void] {
            let text = marker.to_text();
            assert_eq!(Marker::parse(text.as_bytes()), Some(marker));
            for length in 0..text.len() {
                assert_eq!(Marker::parse(&text.as_bytes()[..length]), None);
            }
        }
    }

    #[test]
    fn ticks_are_found_behind_any_name() {
        let stat = b"12 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21";
        assert_eq!(ticks_of(stat), Some(4711));
    }
}
