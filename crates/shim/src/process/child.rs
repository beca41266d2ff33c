//! The program's process from `fork` to `exec`, and the report of a failure in between.

use std::{
    ffi::CString,
    io::Write,
    os::fd::{AsRawFd, OwnedFd},
    ptr,
};

use libc::{c_char, c_int};
use shim::{Spec, Step};

use crate::{
    cgroup::Cgroup,
    isolation,
    sys::{self, Errno, check},
};

/// Added to the program's `oom_score_adj`, so that the kernel kills the program before the shim: the shim must survive
/// to report it.
const OOM_MORE: i32 = 300;

/// Standard descriptors of the program.
pub(crate) struct Standard<'a> {
    pub(crate) input: Option<&'a OwnedFd>,
    pub(crate) output: &'a OwnedFd,
    pub(crate) error: &'a OwnedFd,
}

/// Forks and executes the program. Returns its process id after `exec` has succeeded.
///
/// The child reports a failed step through a pipe whose writing end closes on `exec`: end of file means success.
pub(crate) fn spawn(spec: &Spec, standard: &Standard<'_>, cgroup: Option<&Cgroup>) -> Result<c_int, (Step, Errno)> {
    let setup = |errno| (Step::Setup, errno);
    let (reader, writer) = sys::pipe().map_err(setup)?;
    let plan = Plan::new(spec, standard, cgroup, &writer);
    // SAFETY: the shim has one thread, so the child may call any function; it never returns from this block.
    let child = check(unsafe { libc::fork() }).map_err(setup)?;
    if child == 0 {
        let (step, Errno(errno)) = plan.become_program();
        let mut word = [0; 5];
        let _ = (&mut word[..]).write_all(&[step_number(step)]);
        word[1..].copy_from_slice(&errno.to_ne_bytes());
        let _ = sys::write(&writer, &word);
        sys::leave(127);
    }
    drop(writer);
    let mut word = [0; 5];
    match sys::read(&reader, &mut word) {
        Ok(0) => Ok(child),
        Ok(_) => {
            // Wait for its exit: until then it keeps its cgroup busy, which then could not be removed.
            // SAFETY: a null status pointer is allowed.
            unsafe { libc::waitpid(child, ptr::null_mut(), 0) };
            let [step, errno @ ..] = word;
            Err((step_of(step), Errno(c_int::from_ne_bytes(errno))))
        }
        Err(errno) => Err((Step::Setup, errno)),
    }
}

const STEPS: [Step; 5] = [Step::Setup, Step::Isolation, Step::User, Step::Folder, Step::Program];

fn step_number(step: Step) -> u8 {
    STEPS.iter().position(|known| *known == step).and_then(|at| u8::try_from(at).ok()).unwrap_or_default()
}

fn step_of(number: u8) -> Step {
    STEPS.get(usize::from(number)).copied().unwrap_or(Step::Setup)
}

/// Everything the child needs, allocated before the fork.
struct Plan<'a> {
    spec: &'a Spec,
    candidates: Vec<CString>,
    argv: Vec<*const c_char>,
    env: Vec<*const c_char>,
    descriptors: [Option<c_int>; 3],
    members: Option<c_int>,
    status_pipe: c_int,
    shim_pid: c_int,
    oom: String,
}

impl<'a> Plan<'a> {
    fn new(spec: &'a Spec, standard: &Standard<'_>, cgroup: Option<&Cgroup>, status_pipe: &OwnedFd) -> Self {
        let pointers = |texts: &[CString]| -> Vec<*const c_char> {
            texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
        };
        let oom = std::fs::read_to_string("/proc/self/oom_score_adj").unwrap_or_default();
        let oom = (oom.trim().parse::<i32>().unwrap_or(0) + OOM_MORE).min(1000);
        Self {
            spec,
            candidates: spec.candidates(),
            argv: pointers(&spec.argv),
            env: pointers(&spec.env),
            descriptors: [
                standard.input.map(AsRawFd::as_raw_fd),
                Some(standard.output.as_raw_fd()),
                Some(standard.error.as_raw_fd()),
            ],
            members: cgroup.map(Cgroup::members_fd),
            status_pipe: status_pipe.as_raw_fd(),
            shim_pid: sys::pid(),
            oom: oom.to_string(),
        }
    }

    /// Turns this process into the program. Returns only on failure.
    fn become_program(&self) -> (Step, Errno) {
        let steps = [
            (Step::Setup, Self::leave_shim as fn(&Self) -> sys::Result<()>),
            (Step::Isolation, Self::hide_folders),
            (Step::User, Self::become_user),
            (Step::Isolation, Self::enter_domain),
            (Step::Setup, Self::die_with_shim),
            (Step::Folder, Self::enter_folder),
        ];
        for (step, act) in steps {
            if let Err(errno) = act(self) {
                return (step, errno);
            }
        }
        (Step::Program, self.execute())
    }

    fn leave_shim(&self) -> sys::Result<()> {
        // SAFETY: these calls change only this process; the descriptors are open.
        unsafe {
            check(libc::setsid())?;
            libc::umask(0o022);
            for (standard, fd) in (0..).zip(self.descriptors) {
                if let Some(fd) = fd {
                    check(libc::dup2(fd, standard))?;
                }
            }
        }
        // Joining the cgroup and raising the OOM score are best effort: the run also works without them.
        if let Some(members) = self.members {
            // SAFETY: the bytes are valid for their length.
            unsafe { libc::write(members, b"0".as_ptr().cast(), 1) };
        }
        if let Ok(oom) = sys::open(c"/proc/self/oom_score_adj", libc::O_WRONLY) {
            let _ = sys::write(&oom, self.oom.as_bytes());
        }
        Ok(())
    }

    fn become_user(&self) -> sys::Result<()> {
        let Some(user) = self.spec.user else { return Ok(()) };
        // SAFETY: these calls change only this process; the null pointer comes with a length of zero.
        unsafe {
            if libc::geteuid() == 0 {
                check(libc::setgroups(0, ptr::null()))?;
            }
            check(libc::setresgid(user.gid, user.gid, user.gid))?;
            check(libc::setresuid(user.uid, user.uid, user.uid))?;
        }
        isolation::no_new_privileges()
    }

    /// Must precede `become_user`, because a mount namespace needs the rights of the runner's user.
    fn hide_folders(&self) -> sys::Result<()> {
        isolation::hide(&self.spec.isolation)
    }

    fn enter_domain(&self) -> sys::Result<()> {
        if self.spec.isolation.is_landlocked { isolation::enter_domain() } else { Ok(()) }
    }

    /// Has the kernel kill the program when the shim dies. Must follow `become_user`: a change of user resets the
    /// setting.
    fn die_with_shim(&self) -> sys::Result<()> {
        // SAFETY: these calls change only this process.
        unsafe {
            check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0))?;
            if libc::getppid() != self.shim_pid {
                sys::leave(127);
            }
        }
        Ok(())
    }

    fn enter_folder(&self) -> sys::Result<()> {
        // SAFETY: the pointer is to a NUL-terminated string.
        check(unsafe { libc::chdir(self.spec.cwd.as_ptr()) }).map(drop)
    }

    fn execute(&self) -> Errno {
        // SAFETY: resets the signal state that `exec` would keep; all pointers are valid until `exec` replaces the
        // process.
        unsafe {
            for signal in 1..=64 {
                libc::signal(signal, libc::SIG_DFL);
            }
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
            let flags = libc::CLOSE_RANGE_CLOEXEC;
            if libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, flags) != 0 {
                // An old kernel. All descriptors of the shim have the flag already.
                libc::fcntl(self.status_pipe, libc::F_SETFD, libc::FD_CLOEXEC);
            }
            let mut last = Errno(libc::ENOENT);
            for candidate in &self.candidates {
                libc::execve(candidate.as_ptr(), self.argv.as_ptr(), self.env.as_ptr());
                match sys::errno() {
                    // A later folder of `PATH` may have the program; report a file that is not executable over one that
                    // is missing.
                    Errno(libc::ENOENT | libc::ENOTDIR) => {}
                    Errno(libc::EACCES) => last = Errno(libc::EACCES),
                    other => return other,
                }
            }
            last
        }
    }
}
