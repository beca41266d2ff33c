//! The file `started`: which process owns a run.
//!
//! It is written under another name and then hard-linked. `link` fails if the name exists, so exactly one process gets
//! the run, and a reader never sees half a file. This is what makes a run start at most once, also when a runner
//! restarts while a shim is still starting.

use crate::fields::{self, Fields};

const TITLE: &str = "hostler-started 1";

/// The owner of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A shim claimed the run and has started the program, or is about to.
    Shim {
        run_id: String,
        /// `/proc/sys/kernel/random/boot_id` at the start: another value now means that the machine was restarted.
        boot_id: String,
        /// Process id of the shim.
        pid: i32,
        /// Start time of that process in clock ticks: distinguishes it from a later process with the same id.
        ticks: u64,
        /// Path of the run's cgroup, if one is planned.
        cgroup: Option<String>,
    },
    /// A runner claimed the run so that no shim can start it any more.
    Void,
}

impl Marker {
    /// Encodes the marker for its file.
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

    /// Decodes the file; `None` if it is incomplete.
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

/// Start time of a process in clock ticks, from `/proc/<pid>/stat`. The process name in that text may contain any
/// character, so fields are counted from the last `)`.
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
    fn marker_round_trips_and_incomplete_marker_is_ignored() {
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
    fn ticks_of_accepts_parentheses_in_process_names() {
        let stat = b"12 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21";
        assert_eq!(ticks_of(stat), Some(4711));
    }
}
