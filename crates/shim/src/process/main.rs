//! The shim: the process that supervises one run. It starts the program, writes its output and its outcome to files,
//! and kills every process of the run at its end. It outlives the runner; a later runner finds it by the run folder.
//!
//! One thread and one `poll` loop. Nothing panics, and the loop does not allocate: a shim must survive a machine that
//! runs out of memory, because only it can report how the run ended.
//!
//! - `cgroup`: the cgroup of the run, with its resource limits
//! - `child`: the program's process from `fork` to `exec`
//! - `clients`: connections of runners
//! - `finish`: writing the outcome
//! - `isolation`: hiding Hostler's data folders from the program
//! - `output`: writing the output files
//! - `start`: claiming the run and starting the program
//! - `sys`: wrappers for system calls
//! - `tree`: finding and killing all processes of the run
//! - `watch`: the event loop
#![no_main]
#![cfg_attr(
    target_os = "linux",
    expect(
        unsafe_code,
        reason = "fork, exec and signals have no safe form; every module of this binary makes system calls"
    )
)]

#[cfg(target_os = "linux")]
mod cgroup;
#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod clients;
#[cfg(target_os = "linux")]
mod finish;
#[cfg(target_os = "linux")]
mod isolation;
#[cfg(target_os = "linux")]
mod output;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod sys;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
mod watch;

/// Exit code for wrong arguments. No result of a probe.
#[cfg(target_os = "linux")]
const USAGE_ERROR: libc::c_int = 126;

/// `hostler-shim <run folder>`: leaves the caller's session and supervises the run in that folder.
/// `hostler-shim --probe <folder>`: reports by its exit code which isolation this machine offers.
#[cfg(target_os = "linux")]
#[unsafe(no_mangle)]
extern "C" fn main(argc: libc::c_int, argv: *const *const libc::c_char) -> libc::c_int {
    // SAFETY: the kernel passes `argc` pointers to strings that live as long as the process.
    let argument = |at: usize| unsafe { std::ffi::CStr::from_ptr(*argv.add(at)) };
    let folder = match argc {
        2 => argument(1),
        3 if argument(1) == c"--probe" => return isolation::probe(argument(2)),
        _ => return USAGE_ERROR,
    };
    // No panic is known. If one happens, it must not print: standard error may be a descriptor of another file.
    std::panic::set_hook(Box::new(|_| sys::leave(101)));
    match sys::enter(folder) {
        Ok(Some(greeting)) => start::run(greeting),
        Ok(None) => 0,
        Err(_) => 1,
    }
}

/// Other systems lack the system calls that the shim needs; this stub lets the workspace build.
#[cfg(not(target_os = "linux"))]
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    1
}
