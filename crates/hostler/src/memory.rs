//! Giving memory back: what was needed only to come up, and what a burst has left behind.
//!
//! A machine may run our runner for months without a job. What it holds then is what its owner sees of it.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use runtime::Shutdown;
use store::Store;

/// How often a thread that mostly rests gives back what it no longer uses.
const REST_EVERY: Duration = Duration::from_secs(5);
/// Who goes to rest more often than this in that time is busy, and needs soon again what it would give back.
const RESTS_MAX: u32 = 500;
/// By then a process has come up.
const UP_AFTER: Duration = Duration::from_secs(3);
/// How often one that does next to nothing forgets what it has read of its program since.
const FORGET_EVERY: Duration = Duration::from_secs(10);
/// So much of a processor's time between two of these is next to nothing.
const CALM: Duration = Duration::from_millis(100);

/// For a worker thread that has nothing to do: now and then it gives back what was freed on it.
pub(crate) fn rest() {
    thread_local!(static SINCE: Cell<Option<(Instant, u32)>> = const { Cell::new(None) });
    let now = Instant::now();
    let (since, rests) = SINCE.get().unwrap_or((now, 0));
    if now.duration_since(since) < REST_EVERY {
        SINCE.set(Some((since, rests.saturating_add(1))));
        return;
    }
    if rests < RESTS_MAX {
        collect();
    }
    SINCE.set(Some((now, 0)));
}

/// Once a process is up: gives back what only its start needed. Then, for as long as it rests, what it has touched of its
/// program: the kernel reads that back in pieces much larger than what is needed, as long as the file is in memory.
pub(crate) async fn settle(store: &Store, shutdown: Shutdown) {
    if is_asked_within(&shutdown, UP_AFTER).await {
        return;
    }
    if let Err(error) = store.shrink().await {
        tracing::debug!(error = %error, "the database keeps its memory");
    }
    give_back();
    let mut before = worked();
    while !is_asked_within(&shutdown, FORGET_EVERY).await {
        let now = worked();
        if now.saturating_sub(std::mem::replace(&mut before, now)) < CALM {
            forget_program();
        }
    }
}

async fn is_asked_within(shutdown: &Shutdown, time: Duration) -> bool {
    tokio::time::timeout(time, shutdown.asked()).await.is_ok()
}

/// How much of a processor's time this process has had.
fn worked() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return Duration::ZERO };
    let time = |time: nix::sys::time::TimeVal| {
        let micros = time.tv_sec() * 1_000_000 + time.tv_usec();
        Duration::from_micros(u64::try_from(micros).unwrap_or_default())
    };
    time(usage.user_time()) + time(usage.system_time())
}

fn give_back() {
    collect();
    trim();
    forget_program();
}

/// What this thread has freed.
#[expect(unsafe_code, reason = "the allocator has no safe interface for it")]
fn collect() {
    // SAFETY: it may be called at any time, on any thread.
    unsafe { libmimalloc_sys::mi_collect(true) };
}

/// What SQLite has freed: it does not use our allocator.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the C library has no safe interface for it")]
fn trim() {
    // SAFETY: it may be called at any time, on any thread.
    unsafe { nix::libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim() {}

/// The pages of the program that were used so far: those that are used again come back from the file.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "there is no safe interface for it")]
fn forget_program() {
    let Ok(program) = std::env::current_exe() else { return };
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return };
    let program = program.to_string_lossy();
    for (from, length) in maps.lines().filter_map(|line| untouched(line, &program)) {
        let Some(from) = std::ptr::NonNull::new(from as *mut std::ffi::c_void) else { continue };
        // SAFETY: these pages are as they are in the file; nobody can write to them, and nobody could before.
        let _ = unsafe { nix::sys::mman::madvise(from, length, nix::sys::mman::MmapAdvise::MADV_DONTNEED) };
    }
}

#[cfg(not(target_os = "linux"))]
fn forget_program() {}

/// Where the program lies in memory as it is in its file, if this line of the maps says so: its code, and its beginning.
/// Not what can only be read further on: the loader has written to that.
#[cfg(any(target_os = "linux", test))]
fn untouched(line: &str, program: &str) -> Option<(usize, usize)> {
    let mut words = line.split_ascii_whitespace();
    let (from, to) = words.next()?.split_once('-')?;
    let (rights, offset) = (words.next()?, words.next()?);
    let is_whole = rights == "r-xp" || (rights == "r--p" && offset.bytes().all(|digit| digit == b'0'));
    if !is_whole || words.nth(2)? != program {
        return None;
    }
    let (from, to) = (usize::from_str_radix(from, 16).ok()?, usize::from_str_radix(to, 16).ok()?);
    Some((from, to.checked_sub(from)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_code_of_the_program_itself_is_forgotten() {
        let code = "55d0c0a00000-55d0c0a03000 r-xp 00de6000 fe:00 1234                       /usr/bin/hostler";
        assert_eq!(untouched(code, "/usr/bin/hostler"), Some((0x55d0_c0a0_0000, 0x3000)));
        assert_eq!(untouched(code, "/usr/bin/other"), None);
        let beginning = "55d0c0000000-55d0c0a00000 r--p 00000000 fe:00 1234                  /usr/bin/hostler";
        assert!(untouched(beginning, "/usr/bin/hostler").is_some());
        let relocated = "55d0c0a00000-55d0c0a03000 r--p 00de6000 fe:00 1234                  /usr/bin/hostler";
        assert_eq!(untouched(relocated, "/usr/bin/hostler"), None, "the loader has written to these");
        assert_eq!(untouched("7ffd1000-7ffd2000 r-xp 00000000 00:00 0          [vdso]", "/usr/bin/hostler"), None);
        assert_eq!(untouched("nonsense", "/usr/bin/hostler"), None);
    }

    #[test]
    fn the_program_goes_on_after_it_was_forgotten() {
        let before = worked();
        give_back();
        rest();
        assert!(worked() > before, "it takes its time");
        assert_eq!(format!("{:?}", "still here".split(' ').collect::<Vec<_>>()), r#"["still", "here"]"#);
    }
}
