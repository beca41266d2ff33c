//! The names of the files in a run folder.

/// The specification of the run: written by the runner, read once by the shim and then removed, because it contains
/// secrets.
pub const SPEC: &str = "spec";
/// The shim holds a POSIX lock on this file for its whole life, so a free lock means that the shim has ended.
pub const LOCK: &str = "lock";
/// The owner of the run, or a void marker that keeps it from starting: see [`crate::Marker`].
pub const STARTED: &str = "started";
/// The socket of the shim: see [`crate::wire`].
pub const SOCKET: &str = "sock";
/// Named pipe that is the program's standard input, if [`crate::Spec::has_stdin`].
pub const STDIN: &str = "stdin";
/// The head of the output: its first bytes.
pub const LOG: &str = "log";
/// The tail of the output: a ring of two segments.
pub const TAILS: [&str; 2] = ["tail.0", "tail.1"];
/// The outcome while it is incomplete. Its space is reserved at the start, so that a full disk cannot lose the outcome.
pub const EXIT_TMP: &str = "exit.tmp";
/// The outcome of the run: see [`crate::Outcome`].
pub const EXIT: &str = "exit";
/// Environment variable of every process of a run; the search for orphaned processes looks for it.
pub const RUN_ID_VARIABLE: &str = "HOSTLER_RUN_ID";
