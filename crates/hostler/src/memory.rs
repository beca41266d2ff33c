//! Returning unused memory to the system after startup, after load peaks and while the process is idle.
//!
//! A runner may be idle for months, so its resident memory should stay small while it is idle.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use runtime::Shutdown;
use store::Store;

/// How often an idle worker thread returns its freed memory.
const REST_EVERY: Duration = Duration::from_secs(5);
/// A thread that parks more often than this per period is busy and would soon allocate the returned memory again.
const RESTS_MAX: u32 = 500;
/// Delay after which startup is assumed to be finished.
const UP_AFTER: Duration = Duration::from_secs(3);
/// How often an idle process drops the resident pages of its executable.
const FORGET_EVERY: Duration = Duration::from_secs(10);
/// A process that used less CPU time than this between two checks counts as idle.
const CALM: Duration = Duration::from_millis(100);

/// Called when a worker thread parks. Returns the memory freed on this thread, at most once per period.
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

/// Returns the memory that only startup needed. Then, while the process is idle, drops the resident pages of its
/// executable repeatedly: a page fault on a cached file maps many neighbouring pages that are not needed.
pub(crate) async fn settle(store: &Store, shutdown: Shutdown) {
    if is_asked_within(&shutdown, UP_AFTER).await {
        return;
    }
    if let Err(error) = store.shrink().await {
        tracing::debug!(error = %error, "cannot shrink the memory of the database");
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

/// CPU time used by this process.
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

/// Returns the memory freed on this thread to the system.
#[expect(unsafe_code, reason = "the allocator has no safe interface for it")]
fn collect() {
    // SAFETY: the function may be called at any time, on any thread.
    unsafe { libmimalloc_sys::mi_collect(true) };
}

/// Returns the memory freed by SQLite, which uses the allocator of the C library.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the C library has no safe interface for it")]
fn trim() {
    // SAFETY: the function may be called at any time, on any thread.
    unsafe { nix::libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim() {}

/// Drops the resident pages of the executable. Pages that are used again are read from the file.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "there is no safe interface for it")]
fn forget_program() {
    let Ok(program) = std::env::current_exe() else { return };
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return };
    let program = program.to_string_lossy();
    for (from, length) in maps.lines().filter_map(|line| untouched(line, &program)) {
        let Some(from) = std::ptr::NonNull::new(from as *mut std::ffi::c_void) else { continue };
        // SAFETY: these pages are read-only mappings that were never writable, so they equal the file's content.
        let _ = unsafe { nix::sys::mman::madvise(from, length, nix::sys::mman::MmapAdvise::MADV_DONTNEED) };
    }
}

#[cfg(not(target_os = "linux"))]
fn forget_program() {}

/// Start and length of a mapping of the executable that equals the file, from a line of `/proc/self/maps`: its code and
/// its first read-only segment. Later read-only segments are excluded, because the loader wrote relocations into them.
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
    fn untouched_accepts_only_unmodified_mappings_of_the_executable() {
        let code = "55d0c0a00000-55d0c0a03000 r-xp 00de6000 fe:00 1234                       /usr/bin/hostler";
        assert_eq!(untouched(code, "/usr/bin/hostler"), Some((0x55d0_c0a0_0000, 0x3000)));
        assert_eq!(untouched(code, "/usr/bin/other"), None);
        let beginning = "55d0c0000000-55d0c0a00000 r--p 00000000 fe:00 1234                  /usr/bin/hostler";
        assert!(untouched(beginning, "/usr/bin/hostler").is_some());
        let relocated = "55d0c0a00000-55d0c0a03000 r--p 00de6000 fe:00 1234                  /usr/bin/hostler";
        assert_eq!(untouched(relocated, "/usr/bin/hostler"), None, "the loader wrote relocations into it");
        assert_eq!(untouched("7ffd1000-7ffd2000 r-xp 00000000 00:00 0          [vdso]", "/usr/bin/hostler"), None);
        assert_eq!(untouched("nonsense", "/usr/bin/hostler"), None);
    }

    #[test]
    fn process_works_after_its_pages_were_dropped() {
        let before = worked();
        give_back();
        rest();
        assert!(worked() > before, "returning memory uses CPU time");
        assert_eq!(format!("{:?}", "still here".split(' ').collect::<Vec<_>>()), r#"["still", "here"]"#);
    }
}
