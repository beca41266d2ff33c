//! The system's calls in a safe form, as far as they have one.

use std::{
    ffi::CStr,
    os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd},
};

use libc::{c_int, c_void};
use shim::Moment;

/// What the system said when it refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) c_int);

pub(crate) type Result<T> = std::result::Result<T, Errno>;

pub(crate) fn errno() -> Errno {
    Errno(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
}

pub(crate) fn check(result: c_int) -> Result<c_int> {
    if result < 0 { Err(errno()) } else { Ok(result) }
}

/// Goes to the run folder and becomes a process that the runner's end does not touch. The caller's process gets `None`.
/// What comes back is the pipe on which the runner waits for a word.
pub(crate) fn enter(folder: &CStr) -> Result<Option<OwnedFd>> {
    // SAFETY: plain calls on our own process, which has one thread; descriptor 3 is ours after `dup2`.
    unsafe {
        check(libc::chdir(folder.as_ptr()))?;
        if check(libc::fork())? != 0 {
            return Ok(None);
        }
        check(libc::setsid())?;
        libc::umask(0o077);
        // Whoever started us may have had it ignored, and then no child would ever be reaped.
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

/// Ends this process at once.
pub(crate) fn leave(code: c_int) -> ! {
    // SAFETY: ends the process; nothing of ours needs to run before.
    unsafe { libc::_exit(code) }
}

pub(crate) fn pid() -> c_int {
    // SAFETY: cannot fail.
    unsafe { libc::getpid() }
}

/// Orphans below us become our children: that is what makes "no child left" mean "nothing left".
pub(crate) fn adopt_orphans() -> Result<()> {
    // SAFETY: sets an attribute of our own process.
    check(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }).map(drop)
}

fn clock(id: libc::clockid_t) -> libc::timespec {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is a valid place for the answer.
    unsafe { libc::clock_gettime(id, &raw mut now) };
    now
}

/// Milliseconds since the boot, sleep included.
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
    // SAFETY: `name` is a string; the descriptor that comes back is ours alone.
    unsafe {
        let fd = check(libc::openat(folder, name.as_ptr(), flags | libc::O_CLOEXEC, 0o600))?;
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

pub(crate) fn open(name: &CStr, flags: c_int) -> Result<OwnedFd> {
    open_at(libc::AT_FDCWD, name, flags)
}

/// Reads once.
pub(crate) fn read(fd: &impl AsRawFd, buffer: &mut [u8]) -> Result<usize> {
    // SAFETY: the buffer is valid for its length.
    let got = unsafe { libc::read(fd.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len()) };
    usize::try_from(got).map_err(|_| errno())
}

/// Writes once.
pub(crate) fn write(fd: &impl AsRawFd, bytes: &[u8]) -> Result<usize> {
    // SAFETY: the bytes are valid for their length.
    let put = unsafe { libc::write(fd.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) };
    usize::try_from(put).map_err(|_| errno())
}

/// Writes up to three pieces as one.
pub(crate) fn write_pieces(fd: &impl AsRawFd, pieces: [&[u8]; 3]) -> Result<usize> {
    let pieces = pieces.map(|piece| libc::iovec { iov_base: piece.as_ptr().cast_mut().cast(), iov_len: piece.len() });
    // SAFETY: the pieces are valid for their lengths and only read.
    let put = unsafe { libc::writev(fd.as_raw_fd(), pieces.as_ptr(), 3) };
    usize::try_from(put).map_err(|_| errno())
}

/// Cuts a file, and goes on writing at its new end.
pub(crate) fn cut(fd: &impl AsRawFd, length: u64) -> Result<()> {
    let length = libc::off_t::try_from(length).unwrap_or(libc::off_t::MAX);
    // SAFETY: plain calls on a descriptor of ours.
    unsafe {
        check(libc::ftruncate(fd.as_raw_fd(), length))?;
        libc::lseek(fd.as_raw_fd(), length, libc::SEEK_SET);
    }
    Ok(())
}

/// Takes the space of a small file before it is needed.
pub(crate) fn reserve(fd: &impl AsRawFd, bytes: libc::off_t) -> Result<()> {
    // SAFETY: a plain call on a descriptor of ours.
    check(unsafe { libc::fallocate(fd.as_raw_fd(), 0, 0, bytes) }).map(drop)
}

pub(crate) fn sync(fd: &impl AsRawFd) {
    // SAFETY: a plain call on a descriptor of ours. Whoever waits for it learns nothing from its failing.
    unsafe { libc::fsync(fd.as_raw_fd()) };
}

pub(crate) fn link(from: &CStr, to: &CStr) -> Result<()> {
    // SAFETY: both are strings.
    check(unsafe { libc::link(from.as_ptr(), to.as_ptr()) }).map(drop)
}

pub(crate) fn rename(from: &CStr, to: &CStr) -> Result<()> {
    // SAFETY: both are strings.
    check(unsafe { libc::rename(from.as_ptr(), to.as_ptr()) }).map(drop)
}

pub(crate) fn unlink(name: &CStr) {
    // SAFETY: it is a string. What is gone already need not be removed.
    unsafe { libc::unlink(name.as_ptr()) };
}

/// Holds the file for as long as this process lives. Not handed on by `fork`.
pub(crate) fn lock(fd: &impl AsRawFd) -> Result<()> {
    // SAFETY: all zeros is a valid `flock`: the whole file.
    let mut whole: libc::flock = unsafe { std::mem::zeroed() };
    whole.l_type = libc::F_WRLCK as libc::c_short;
    // SAFETY: `whole` is valid during the call.
    check(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETLK, &raw const whole) }).map(drop)
}

/// The size of our pipes: a normal user may have many of this size, but not of the usual one.
const PIPE_BYTES: c_int = shim::record::PAYLOAD_MAX as c_int;

/// A pipe: what is read, what is written.
pub(crate) fn pipe() -> Result<(OwnedFd, OwnedFd)> {
    let mut ends: [c_int; 2] = [-1; 2];
    // SAFETY: `ends` takes two descriptors, which are ours alone.
    unsafe {
        check(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC))?;
        // May be refused to a user with very many pipes; then it is smaller already.
        libc::fcntl(ends[0], libc::F_SETPIPE_SZ, PIPE_BYTES);
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// A pipe with a name, open for both sides: it never ends, and nobody waits for the other side to open it.
pub(crate) fn fifo(name: &CStr) -> Result<OwnedFd> {
    // SAFETY: it is a string.
    check(unsafe { libc::mkfifo(name.as_ptr(), 0o600) })?;
    open(name, libc::O_RDWR)
}

/// The end of children and the wish that we end come as things to read.
pub(crate) fn signals() -> Result<OwnedFd> {
    // SAFETY: `all` and `wanted` are filled before they are used; the descriptor is ours alone.
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

/// The next signal, if one has come.
pub(crate) fn next_signal(fd: &OwnedFd) -> Option<c_int> {
    let mut bytes = [0_u8; size_of::<libc::signalfd_siginfo>()];
    let got = read(fd, &mut bytes).ok()?;
    // Its first field is the number.
    let number = bytes.get(..got)?.first_chunk::<4>()?;
    c_int::try_from(u32::from_ne_bytes(*number)).ok()
}

/// A clock that also counts while the machine sleeps, so that what is due then is done at once on waking.
pub(crate) fn timer() -> Result<OwnedFd> {
    let flags = libc::TFD_CLOEXEC | libc::TFD_NONBLOCK;
    // SAFETY: the descriptor is ours alone.
    unsafe { Ok(OwnedFd::from_raw_fd(check(libc::timerfd_create(libc::CLOCK_BOOTTIME, flags))?)) }
}

/// Makes the timer readable at this time; never without one.
pub(crate) fn set_timer(timer: &OwnedFd, at_ms: Option<u64>) {
    let never = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let value = at_ms.map_or(never, |at| libc::timespec {
        tv_sec: libc::time_t::try_from(at / 1000).unwrap_or(libc::time_t::MAX),
        // One nanosecond more than nothing: all zeros would switch it off.
        tv_nsec: libc::c_long::try_from(at % 1000 * 1_000_000 + 1).unwrap_or(1),
    });
    let setting = libc::itimerspec { it_interval: never, it_value: value };
    let flags = libc::TFD_TIMER_ABSTIME;
    // SAFETY: `setting` is valid during the call, and nothing is asked back.
    unsafe { libc::timerfd_settime(timer.as_raw_fd(), flags, &raw const setting, std::ptr::null_mut()) };
}

/// Listens on a socket with this name in the current folder: its own name is short, whatever the folder's is.
pub(crate) fn listen(name: &CStr) -> Result<OwnedFd> {
    let flags = libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: all zeros is a valid address, and the name is shorter than its space.
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

/// The next client, if its user is ours or root.
pub(crate) fn accept(socket: &OwnedFd) -> Option<OwnedFd> {
    let flags = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: nothing is asked about the address; `peer` is valid for its length; the descriptor is ours alone.
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

/// Sends all of it at once, or says that the client is too slow.
pub(crate) fn send(client: &OwnedFd, bytes: &[u8]) -> bool {
    let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
    // SAFETY: the bytes are valid for their length.
    let put = unsafe { libc::send(client.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), flags) };
    usize::try_from(put).is_ok_and(|put| put == bytes.len())
}

/// Something to wait for; nothing, if there is no descriptor.
pub(crate) fn interest(fd: Option<&OwnedFd>) -> libc::pollfd {
    libc::pollfd { fd: fd.map_or(-1, AsRawFd::as_raw_fd), events: libc::POLLIN, revents: 0 }
}

/// Waits for one of them.
pub(crate) fn poll(interests: &mut [libc::pollfd], timeout_ms: c_int) {
    // SAFETY: the slice is valid for its length.
    unsafe { libc::poll(interests.as_mut_ptr(), interests.len() as libc::nfds_t, timeout_ms) };
}

/// The end of a child, if one has ended.
pub(crate) enum Reaped {
    /// This one, with this status.
    Child(c_int, c_int),
    /// None now.
    None,
    /// There is no child left at all.
    Alone,
}

pub(crate) fn reap() -> Reaped {
    let mut status = 0;
    // SAFETY: `status` is a valid place for the answer.
    match unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) } {
        0 => Reaped::None,
        pid if pid > 0 => Reaped::Child(pid, status),
        _ if errno() == Errno(libc::ECHILD) => Reaped::Alone,
        _ => Reaped::None,
    }
}

pub(crate) fn kill(pid: c_int, signal: c_int) {
    // Never ourselves, and never a group.
    if pid > 1 {
        // SAFETY: a plain call.
        unsafe { libc::kill(pid, signal) };
    }
}
