//! The protocol of a shim's socket: one line per request, one line per answer.
//!
//! ```text
//! id                  id <run id> <child pid>
//! stop <grace ms>     ok
//! kill                ok
//! lease <boot ms>     ok | no <why>
//! wait                ok, and when the run has ended: exit
//! ack                 (no answer; the runner has stored the outcome)
//! signal <number>     ok | no <why>
//! ```

use std::fmt;

/// The longest line, in bytes.
pub const LINE_MAX: usize = 128;
/// How long the shim waits for the `ack` of an outcome before it syncs its files to disk itself.
pub const ACK_MS: u64 = 200;

/// A request of a runner to a shim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Asks for the run id and the main process.
    Id,
    /// Sends `SIGTERM` to all processes of the run, and `SIGKILL` after the grace period.
    Stop { grace_ms: u64 },
    /// Kills the run without a grace period.
    Kill,
    /// Renews the lease until this time, in milliseconds since boot.
    Lease { until_ms: u64 },
    /// Keeps the connection open and asks for `exit` when the run has ended.
    Wait,
    /// Confirms that the runner has stored the outcome.
    Ack,
    /// Sends a signal to the main process only.
    Signal { number: u64 },
}

impl Request {
    /// Parses a line without its line break.
    #[must_use]
    pub fn parse(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let (word, number) = match line.split_once(' ') {
            Some((word, number)) => (word, Some(number.parse().ok()?)),
            None => (line, None),
        };
        match (word, number) {
            ("id", None) => Some(Self::Id),
            ("stop", Some(grace_ms)) => Some(Self::Stop { grace_ms }),
            ("kill", None) => Some(Self::Kill),
            ("lease", Some(until_ms)) => Some(Self::Lease { until_ms }),
            ("wait", None) => Some(Self::Wait),
            ("ack", None) => Some(Self::Ack),
            ("signal", Some(number)) => Some(Self::Signal { number }),
            _ => None,
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id => f.write_str("id"),
            Self::Stop { grace_ms } => write!(f, "stop {grace_ms}"),
            Self::Kill => f.write_str("kill"),
            Self::Lease { until_ms } => write!(f, "lease {until_ms}"),
            Self::Wait => f.write_str("wait"),
            Self::Ack => f.write_str("ack"),
            Self::Signal { number } => write!(f, "signal {number}"),
        }
    }
}

/// An answer of a shim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<'a> {
    /// The run and its main process.
    Id {
        run_id: &'a str,
        child_pid: i32,
    },
    Done,
    /// The request was rejected, with the reason.
    Refused(&'a str),
    /// The run has ended, and its outcome is in the file `exit`.
    Exit,
}

impl<'a> Answer<'a> {
    /// Parses a line without its line break.
    #[must_use]
    pub fn parse(line: &'a str) -> Option<Self> {
        match line.split_once(' ') {
            None if line == "ok" => Some(Self::Done),
            None if line == "exit" => Some(Self::Exit),
            Some(("no", why)) => Some(Self::Refused(why)),
            Some(("id", rest)) => {
                let (run_id, pid) = rest.split_once(' ')?;
                Some(Self::Id { run_id, child_pid: pid.parse().ok()? })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { run_id, child_pid } => write!(f, "id {run_id} {child_pid}"),
            Self::Done => f.write_str("ok"),
            Self::Refused(why) => write!(f, "no {why}"),
            Self::Exit => f.write_str("exit"),
        }
    }
}

/// The one line that a shim writes to its standard output: whether the run has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Greeting {
    /// The program runs.
    Started { shim_pid: i32, child_pid: i32 },
    /// Another process owns the run.
    Taken,
    /// The program could not be started; the file `exit` holds the reason.
    Failed,
    /// The shim failed before it owned the run.
    Broken { errno: i32 },
}

impl Greeting {
    /// Parses a line without its line break.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let greeting = match (words.next()?, words.next(), words.next()) {
            ("started", Some(shim_pid), Some(child_pid)) => {
                Self::Started { shim_pid: shim_pid.parse().ok()?, child_pid: child_pid.parse().ok()? }
            }
            ("taken", None, None) => Self::Taken,
            ("failed", None, None) => Self::Failed,
            ("broken", Some(errno), None) => Self::Broken { errno: errno.parse().ok()? },
            _ => return None,
        };
        words.next().is_none().then_some(greeting)
    }
}

impl fmt::Display for Greeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started { shim_pid, child_pid } => write!(f, "started {shim_pid} {child_pid}"),
            Self::Taken => f.write_str("taken"),
            Self::Failed => f.write_str("failed"),
            Self::Broken { errno } => write!(f, "broken {errno}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_answers_and_greetings_round_trip() {
        for request in [
            Request::Id,
            Request::Stop { grace_ms: u64::MAX },
            Request::Kill,
            Request::Lease { until_ms: 1 },
            Request::Wait,
            Request::Ack,
            Request::Signal { number: 3 },
        ] {
            assert_eq!(Request::parse(request.to_string().as_bytes()), Some(request));
        }
        for answer in
            [Answer::Id { run_id: "a", child_pid: 2 }, Answer::Done, Answer::Refused("not leased"), Answer::Exit]
        {
            assert_eq!(Answer::parse(&answer.to_string()), Some(answer));
        }
        for greeting in [
            Greeting::Started { shim_pid: 1, child_pid: 2 },
            Greeting::Taken,
            Greeting::Failed,
            Greeting::Broken { errno: 5 },
        ] {
            assert_eq!(Greeting::parse(&greeting.to_string()), Some(greeting));
        }
        for nonsense in ["", "stop", "stop -1", "stop 1 2", "kill 1", "lease x", "exit now"] {
            assert_eq!(Request::parse(nonsense.as_bytes()), None);
        }
    }
}
