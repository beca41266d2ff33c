//! The shim: the one process that watches a run. It starts the program, writes its output and its outcome to files, and
//! makes sure that nothing of the run is left. It outlives the runner; a later runner finds it by its folder.
//!
//! One thread, one `poll`. Nothing here panics, and nothing allocates between the start and the end of the run.
#![no_main]
#![cfg_attr(
    target_os = "linux",
    expect(
        unsafe_code,
        reason = "fork, exec and signals have no safe form; the calls are in sys.rs, child.rs and below"
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
mod output;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod sys;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
mod watch;

/// `hostler-shim <run folder>`: leaves the caller's session and watches the run in that folder.
#[cfg(target_os = "linux")]
#[unsafe(no_mangle)]
extern "C" fn main(argc: libc::c_int, argv: *const *const libc::c_char) -> libc::c_int {
    if argc != 2 {
        return 2;
    }
    // SAFETY: the system hands over `argc` pointers to strings that live as long as the process.
    let folder = unsafe { std::ffi::CStr::from_ptr(*argv.add(1)) };
    // No panic is known; should there be one, nothing is printed into descriptors that are not ours.
    std::panic::set_hook(Box::new(|_| sys::leave(101)));
    match sys::enter(folder) {
        Ok(Some(greeting)) => start::run(greeting),
        Ok(None) => 0,
        Err(_) => 1,
    }
}

/// Elsewhere there is nothing to build it from.
#[cfg(not(target_os = "linux"))]
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    1
}
