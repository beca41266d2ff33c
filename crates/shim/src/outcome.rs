//! The file `exit`: the outcome of a run.

use crate::fields::{self, Fields};

const TITLE: &str = "hostler-exit 1";

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub why: Why,
    /// How its main process ended.
    pub ending: Ending,
    /// Processes of the run that were still alive when the main process ended by itself. The shim killed them.
    pub left_over: u32,
    /// Whether the kernel killed a process of the run because memory ran out.
    pub is_oom: bool,
    /// Bytes written by the program, stored or not.
    pub output_bytes: u64,
    /// Bytes of output that are in no file.
    pub dropped_bytes: u64,
    /// Process id of the main process; zero if it never started.
    pub child_pid: i32,
    pub began: Moment,
    /// When the last process of the run was gone and its output was read.
    pub ended: Moment,
}

/// The cause of the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The program ended by itself, or was killed by a signal from outside.
    Itself,
    /// It exceeded its timeout.
    TimedOut,
    /// The runner requested it, or the shim received `SIGTERM`.
    Stopped,
    /// Its lease expired.
    Fenced,
}

/// How the main process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited with this code.
    Code(i32),
    /// This signal killed it.
    Signal(i32),
    /// It never started: this step failed.
    NotBegun { step: Step, errno: i32 },
}

/// A step of starting the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Creating the shim's files, pipes and processes.
    Setup,
    /// Hiding Hostler's data folders.
    Isolation,
    /// Changing to the run's user.
    User,
    /// Changing to the working directory.
    Folder,
    /// Executing the program.
    Program,
}

/// The kind of an outcome, derived from [`Why`] and [`Ending`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Exited,
    /// A signal that the shim did not send killed it.
    Signaled,
    SpawnError,
    TimedOut,
    /// The runner or a `SIGTERM` to the shim requested it.
    Stopped,
    /// Its lease expired.
    Fenced,
}

/// A point in time on two clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Microseconds since 1970 UTC.
    pub wall_us: i64,
    /// Milliseconds since boot, suspend included.
    pub boot_ms: u64,
}

macro_rules! spelled {
    ($kind:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl $kind {
            /// Its stable text form.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Parses the stable text form.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

spelled!(Why { Itself = "itself", TimedOut = "timed_out", Stopped = "stopped", Fenced = "fenced" });
spelled!(Step { Setup = "setup", Isolation = "isolation", User = "user", Folder = "folder", Program = "program" });
spelled!(Kind {
    Exited = "exited",
    Signaled = "signaled",
    SpawnError = "spawn_error",
    TimedOut = "timed_out",
    Stopped = "stopped",
    Fenced = "fenced",
});

impl Outcome {
    /// The kind of this outcome.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match (self.why, self.ending) {
            (_, Ending::NotBegun { .. }) => Kind::SpawnError,
            (Why::TimedOut, _) => Kind::TimedOut,
            (Why::Stopped, _) => Kind::Stopped,
            (Why::Fenced, _) => Kind::Fenced,
            (Why::Itself, Ending::Code(_)) => Kind::Exited,
            (Why::Itself, Ending::Signal(_)) => Kind::Signaled,
        }
    }

    /// Encodes the outcome for its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = fields::begin(TITLE);
        fields::add(&mut text, "kind", self.kind().as_str());
        fields::add(&mut text, "why", self.why.as_str());
        match self.ending {
            Ending::Code(code) => fields::add(&mut text, "code", code),
            Ending::Signal(signal) => fields::add(&mut text, "signal", signal),
            Ending::NotBegun { step, errno } => {
                fields::add(&mut text, "step", step.as_str());
                fields::add(&mut text, "errno", errno);
            }
        }
        fields::add(&mut text, "left_over", self.left_over);
        fields::add(&mut text, "oom", u8::from(self.is_oom));
        fields::add(&mut text, "output_bytes", self.output_bytes);
        fields::add(&mut text, "dropped_bytes", self.dropped_bytes);
        fields::add(&mut text, "child_pid", self.child_pid);
        fields::add(&mut text, "began_wall_us", self.began.wall_us);
        fields::add(&mut text, "began_boot_ms", self.began.boot_ms);
        fields::add(&mut text, "ended_wall_us", self.ended.wall_us);
        fields::add(&mut text, "ended_boot_ms", self.ended.boot_ms);
        fields::finish(&mut text);
        text
    }

    /// Decodes the file; `None` if it is incomplete.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let fields = Fields::read(bytes, TITLE)?;
        let ending = if let Some(code) = fields.number("code") {
            Ending::Code(code)
        } else if let Some(signal) = fields.number("signal") {
            Ending::Signal(signal)
        } else {
            Ending::NotBegun { step: Step::from_word(fields.text("step")?)?, errno: fields.number("errno")? }
        };
        Some(Self {
            why: Why::from_word(fields.text("why")?)?,
            ending,
            left_over: fields.number("left_over")?,
            // Shims of earlier versions do not write this field.
            is_oom: fields.number::<u8>("oom").is_some_and(|oom| oom > 0),
            output_bytes: fields.number("output_bytes")?,
            dropped_bytes: fields.number("dropped_bytes")?,
            child_pid: fields.number("child_pid")?,
            began: Moment { wall_us: fields.number("began_wall_us")?, boot_ms: fields.number("began_boot_ms")? },
            ended: Moment { wall_us: fields.number("ended_wall_us")?, boot_ms: fields.number("ended_boot_ms")? },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcome_round_trips_and_incomplete_outcome_is_ignored() {
        for (why, ending, kind) in [
            (Why::Itself, Ending::Code(5), Kind::Exited),
            (Why::Itself, Ending::Signal(9), Kind::Signaled),
            (Why::Stopped, Ending::Code(0), Kind::Stopped),
            (Why::TimedOut, Ending::Signal(15), Kind::TimedOut),
            (Why::Fenced, Ending::Signal(9), Kind::Fenced),
            (Why::Itself, Ending::NotBegun { step: Step::Folder, errno: 2 }, Kind::SpawnError),
        ] {
            let outcome = Outcome {
                why,
                ending,
                left_over: 3,
                is_oom: true,
                output_bytes: 10,
                dropped_bytes: 4,
                child_pid: 99,
                began: Moment { wall_us: -1, boot_ms: 2 },
                ended: Moment { wall_us: 3, boot_ms: 4 },
            };
            assert_eq!(outcome.kind(), kind);
            let text = outcome.to_text();
            assert!(text.len() < 4096, "it fits the space reserved for `exit.tmp`");
            assert_eq!(Outcome::parse(text.as_bytes()), Some(outcome));
            for length in 0..text.len() {
                assert_eq!(Outcome::parse(&text.as_bytes()[..length]), None);
            }
        }
    }
}
