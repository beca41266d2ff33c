//! The names of the files in a run folder.

/// What to run: written by the runner, read once by the shim and then removed, because it holds secrets.
pub const SPEC: &str = "spec";
/// Held by the shim with a POSIX lock for as long as it lives.
pub const LOCK: &str = "lock";
/// Who began this run, or that nobody may: see [`crate::Marker`].
pub const STARTED: &str = "started";
/// The shim's socket.
pub const SOCKET: &str = "sock";
/// The program's standard input, if it has one: whoever may write to it writes lines.
pub const STDIN: &str = "stdin";
/// The first part of the output.
pub const LOG: &str = "log";
/// The last part of the output: a ring of two segments.
pub const TAILS: [&str; 2] = ["tail.0", "tail.1"];
/// The outcome before it is complete; its space is taken at the start, so that a full disk cannot lose it.
pub const EXIT_TMP: &str = "exit.tmp";
/// The outcome: see [`crate::Outcome`].
pub const EXIT: &str = "exit";
/// The variable that marks every process of a run.
pub const RUN_ID_VARIABLE: &str = "HOSTLER_RUN_ID";
