//! Safe wrappers for the system calls of the shim.

use std::{
    ffi::CStr,
    os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd},
};

use libc::{c_int, c_void};
use shim::Moment;

/// Error number of a failed system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) c_int);

pub(crate) type Result<T> = std::result::Result<T, Errno>;

pub(crate) fn errno() -> Errno {
    Errno(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
}

pub(crate) fn check(result: c_int) -> Result<c_int> {
    if result < 0 { Err(errno()) } else { Ok(result) }
}

/// Enters the run folder and detaches from the runner: a process of its own session, without the runner's descriptors.
/// The calling process gets `None`; the detached one gets the pipe on which the runner waits for the greeting.
pub(crate) fn enter(folder: &CStr) -> Result<Option<OwnedFd>> {
    // SAFETY: these calls change only this process, which has one thread; descriptor 3 is open after `dup2`.
    unsafe {
        check(libc::chdir(folder.as_ptr()))?;
        if check(libc::fork())? != 0 {
            return Ok(None);
        }
        check(libc::setsid())?;
        libc::umask(0o077);
        // The parent may have ignored SIGCHLD, which is inherited; then the kernel would discard the children's
        // statuses.
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        check(libc::dup2(1, 3))?;
        check(libc::fcntl(3, libc::F_SETFD, libc::FD_CLOEXEC))?;
        let nothing = check(libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC))?;
        for standard in 0..=2 {
            check(libc::dup2(nothing, standard))?;
        }
        libc::syscall(libc::SYS_close_range, 4, libc::c_uint::MAX, 0);
        Ok(Some(OwnedFd::from_raw_fd(3)))
    }
}

/// Ends this process without running exit handlers.
pub(crate) fn leave(code: c_int) -> ! {
    // SAFETY: ends the process; no cleanup is needed.
    unsafe { libc::_exit(code) }
}

pub(crate) fn pid() -> c_int {
    // SAFETY: cannot fail.
    unsafe { libc::getpid() }
}

/// Makes the shim the subreaper of its descendants: orphans become its children, so that "no child left" means "no
/// process of the run left".
pub(crate) fn adopt_orphans() -> Result<()> {
    // SAFETY: sets an attribute of this process only.
    check(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }).map(drop)
}

fn clock(id: libc::clockid_t) -> libc::timespec {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is valid during the call.
    unsafe { libc::clock_gettime(id, &raw mut now) };
    now
}

/// Milliseconds since boot, suspend included.
pub(crate) fn boot_ms() -> u64 {
    let now = clock(libc::CLOCK_BOOTTIME);
    u64::try_from(now.tv_sec * 1000 + now.tv_nsec / 1_000_000).unwrap_or_default()
}

/// Microseconds since 1970.
pub(crate) fn wall_us() -> i64 {
    let now = clock(libc::CLOCK_REALTIME);
    now.tv_sec * 1_000_000 + now.tv_nsec / 1000
}

pub(crate) fn moment() -> Moment {
    Moment { wall_us: wall_us(), boot_ms: boot_ms() }
}

pub(crate) fn open_at(folder: RawFd, name: &CStr, flags: c_int) -> Result<OwnedFd> {
    // SAFETY: `name` is NUL-terminated; the returned descriptor has no other owner.
    unsafe {
        let fd = check(libc::openat(folder, name.as_ptr(), flags | libc::O_CLOEXEC, 0o600))?;
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

pub(crate) fn open(name: &CStr, flags: c_int) -> Result<OwnedFd> {
    open_at(libc::AT_FDCWD, name, flags)
}

/// Reads with one call.
pub(crate) fn read(fd: &impl AsRawFd, buffer: &mut [u8]) -> Result<usize> {
    // SAFETY: the buffer is valid for its length.
    let got = unsafe { libc::read(fd.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len()) };
    usize::try_from(got).map_err(|_| errno())
}

/// Writes with one call.
pub(crate) fn write(fd: &impl AsRawFd, bytes: &[u8]) -> Result<usize> {
    // SAFETY: the bytes are valid for their length.
    let put = unsafe { libc::write(fd.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) };
    usize::try_from(put).map_err(|_| errno())
}

/// Writes three pieces with one call.
pub(crate) fn write_pieces(fd: &impl AsRawFd, pieces: [&[u8]; 3]) -> Result<usize> {
    let pieces = pieces.map(|piece| libc::iovec { iov_base: piece.as_ptr().cast_mut().cast(), iov_len: piece.len() });
    // SAFETY: the pieces are valid for their lengths and only read.
    let put = unsafe { libc::writev(fd.as_raw_fd(), pieces.as_ptr(), 3) };
    usize::try_from(put).map_err(|_| errno())
}

/// Truncates a file and moves the write position to its new end.
pub(crate) fn cut(fd: &impl AsRawFd, length: u64) -> Result<()> {
    let length = libc::off_t::try_from(length).unwrap_or(libc::off_t::MAX);
    // SAFETY: the descriptor is open.
    unsafe {
        check(libc::ftruncate(fd.as_raw_fd(), length))?;
        libc::lseek(fd.as_raw_fd(), length, libc::SEEK_SET);
    }
    Ok(())
}

/// Reserves disk space for a file.
pub(crate) fn reserve(fd: &impl AsRawFd, bytes: libc::off_t) -> Result<()> {
    // SAFETY: the descriptor is open.
    check(unsafe { libc::fallocate(fd.as_raw_fd(), 0, 0, bytes) }).map(drop)
}

pub(crate) fn sync(fd: &impl AsRawFd) {
    // SAFETY: the descriptor is open. A failure is ignored: the shim has no other place to write to.
    unsafe { libc::fsync(fd.as_raw_fd()) };
}

pub(crate) fn link(from: &CStr, to: &CStr) -> Result<()> {
    // SAFETY: both pointers are to NUL-terminated strings.
    check(unsafe { libc::link(from.as_ptr(), to.as_ptr()) }).map(drop)
}

pub(crate) fn rename(from: &CStr, to: &CStr) -> Result<()> {
    // SAFETY: both pointers are to NUL-terminated strings.
    check(unsafe { libc::rename(from.as_ptr(), to.as_ptr()) }).map(drop)
}

pub(crate) fn unlink(name: &CStr) {
    // SAFETY: the pointer is to a NUL-terminated string. A missing file is not an error.
    unsafe { libc::unlink(name.as_ptr()) };
}

/// Locks the whole file until this process ends. POSIX locks are not inherited by `fork`, so the program cannot hold
/// it.
pub(crate) fn lock(fd: &impl AsRawFd) -> Result<()> {
    // SAFETY: a zeroed `flock` is valid and covers the whole file.
    let mut whole: libc::flock = unsafe { std::mem::zeroed() };
    whole.l_type = libc::F_WRLCK as libc::c_short;
    // SAFETY: `whole` is valid during the call.
    check(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETLK, &raw const whole) }).map(drop)
}

/// Size of the output pipes. With the default of 64 KiB, some hundred runs would exhaust the per-user limit for pipes.
const PIPE_BYTES: c_int = shim::record::PAYLOAD_MAX as c_int;

/// A pipe: its reading and its writing end.
pub(crate) fn pipe() -> Result<(OwnedFd, OwnedFd)> {
    let mut ends: [c_int; 2] = [-1; 2];
    // SAFETY: `ends` receives two descriptors, which have no other owner.
    unsafe {
        check(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC))?;
        // The kernel may refuse this to a user with very many pipes; then the pipe is smaller already.
        libc::fcntl(ends[0], libc::F_SETPIPE_SZ, PIPE_BYTES);
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// A named pipe, opened for reading and writing: it never reaches end of file, and opening it does not block.
pub(crate) fn fifo(name: &CStr) -> Result<OwnedFd> {
    // SAFETY: the pointer is to a NUL-terminated string.
    check(unsafe { libc::mkfifo(name.as_ptr(), 0o600) })?;
    open(name, libc::O_RDWR)
}

/// Blocks all signals and returns a descriptor that reads `SIGCHLD` and `SIGTERM`.
pub(crate) fn signals() -> Result<OwnedFd> {
    // SAFETY: `all` and `wanted` are initialized before use; the returned descriptor has no other owner.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        check(libc::sigprocmask(libc::SIG_SETMASK, &raw const all, std::ptr::null_mut()))?;
        let mut wanted: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut wanted);
        for signal in [libc::SIGCHLD, libc::SIGTERM] {
            libc::sigaddset(&raw mut wanted, signal);
        }
        let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
        Ok(OwnedFd::from_raw_fd(check(libc::signalfd(-1, &raw const wanted, flags))?))
    }
}

/// The next pending signal.
pub(crate) fn next_signal(fd: &OwnedFd) -> Option<c_int> {
    let mut bytes = [0_u8; size_of::<libc::signalfd_siginfo>()];
    let got = read(fd, &mut bytes).ok()?;
    // The first field is the signal number.
    let number = bytes.get(..got)?.first_chunk::<4>()?;
    c_int::try_from(u32::from_ne_bytes(*number)).ok()
}

/// A timer on the boot clock, which also counts while the machine is suspended: a deadline that passes during suspend
/// fires right after resume.
pub(crate) fn timer() -> Result<OwnedFd> {
    let flags = libc::TFD_CLOEXEC | libc::TFD_NONBLOCK;
    // SAFETY: the returned descriptor has no other owner.
    unsafe { Ok(OwnedFd::from_raw_fd(check(libc::timerfd_create(libc::CLOCK_BOOTTIME, flags))?)) }
}

/// Makes the timer readable at this time; `None` disarms it.
pub(crate) fn set_timer(timer: &OwnedFd, at_ms: Option<u64>) {
    let never = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let value = at_ms.map_or(never, |at| libc::timespec {
        tv_sec: libc::time_t::try_from(at / 1000).unwrap_or(libc::time_t::MAX),
        // One nanosecond more, because a value of all zeros disarms the timer.
        tv_nsec: libc::c_long::try_from(at % 1000 * 1_000_000 + 1).unwrap_or(1),
    });
    let setting = libc::itimerspec { it_interval: never, it_value: value };
    let flags = libc::TFD_TIMER_ABSTIME;
    // SAFETY: `setting` is valid during the call, and a null pointer for the old value is allowed.
    unsafe { libc::timerfd_settime(timer.as_raw_fd(), flags, &raw const setting, std::ptr::null_mut()) };
}

/// Listens on a Unix socket in the current folder. The name is relative because a socket path is limited to 108 bytes.
pub(crate) fn listen(name: &CStr) -> Result<OwnedFd> {
    let flags = libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: a zeroed address is valid, and the name is shorter than `sun_path`.
    unsafe {
        let socket = OwnedFd::from_raw_fd(check(libc::socket(libc::AF_UNIX, flags, 0))?);
        let mut address: libc::sockaddr_un = std::mem::zeroed();
        address.sun_family = libc::AF_UNIX as libc::sa_family_t;
        for (to, from) in address.sun_path.iter_mut().zip(name.to_bytes()) {
            *to = from.cast_signed() as libc::c_char;
        }
        let length = size_of::<libc::sockaddr_un>() as libc::socklen_t;
        check(libc::bind(socket.as_raw_fd(), (&raw const address).cast(), length))?;
        check(libc::listen(socket.as_raw_fd(), 64))?;
        Ok(socket)
    }
}

/// The next client, if its user is the shim's or root.
pub(crate) fn accept(socket: &OwnedFd) -> Option<OwnedFd> {
    let flags = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: null is allowed for the address; `peer` is valid for its length; the descriptor has no other owner.
    unsafe {
        let fd = libc::accept4(socket.as_raw_fd(), std::ptr::null_mut(), std::ptr::null_mut(), flags);
        let client = OwnedFd::from_raw_fd(check(fd).ok()?);
        let mut peer = libc::ucred { pid: 0, uid: libc::uid_t::MAX, gid: 0 };
        let mut length = size_of::<libc::ucred>() as libc::socklen_t;
        let place = (&raw mut peer).cast::<c_void>();
        let fd = client.as_raw_fd();
        check(libc::getsockopt(fd, libc::SOL_SOCKET, libc::SO_PEERCRED, place, &raw mut length)).ok()?;
        (peer.uid == 0 || peer.uid == libc::geteuid()).then_some(client)
    }
}

/// Sends all bytes with one call. Returns `false` if the client is too slow or gone.
pub(crate) fn send(client: &OwnedFd, bytes: &[u8]) -> bool {
    let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
    // SAFETY: the bytes are valid for their length.
    let put = unsafe { libc::send(client.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), flags) };
    usize::try_from(put).is_ok_and(|put| put == bytes.len())
}

/// A poll entry for reading; without a descriptor `poll` ignores it.
pub(crate) fn interest(fd: Option<&OwnedFd>) -> libc::pollfd {
    libc::pollfd { fd: fd.map_or(-1, AsRawFd::as_raw_fd), events: libc::POLLIN, revents: 0 }
}

/// Waits until one of the descriptors is readable.
pub(crate) fn poll(interests: &mut [libc::pollfd], timeout_ms: c_int) {
    // SAFETY: the slice is valid for its length.
    unsafe { libc::poll(interests.as_mut_ptr(), interests.len() as libc::nfds_t, timeout_ms) };
}

/// Result of reaping one child.
pub(crate) enum Reaped {
    /// This child ended with this status.
    Child(c_int, c_int),
    /// Children exist, but none has ended.
    None,
    /// No child is left.
    Alone,
}

pub(crate) fn reap() -> Reaped {
    let mut status = 0;
    // SAFETY: `status` is valid during the call.
    match unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) } {
        0 => Reaped::None,
        pid if pid > 0 => Reaped::Child(pid, status),
        _ if errno() == Errno(libc::ECHILD) => Reaped::Alone,
        _ => Reaped::None,
    }
}

pub(crate) fn kill(pid: c_int, signal: c_int) {
    // Ids below 1 address process groups or every process, and 1 is init.
    if pid > 1 {
        // SAFETY: has no memory effects.
        unsafe { libc::kill(pid, signal) };
    }
}
