//! The start of a run: claim it, create everything that can fail, then start the program.

use std::{ffi::CString, fs, os::fd::OwnedFd};

use libc::c_int;
use shim::{Ending, Marker, Spec, Step, marker, wire::Greeting};

use crate::{
    cgroup::{self, Cgroup},
    child::{self, Standard},
    finish::Finish,
    output::Output,
    sys::{self, Errno},
    tree::Tree,
    watch::{Sources, Watch},
};

/// Runs the whole life of a shim. Returns its exit code.
pub(crate) fn run(greeting: OwnedFd) -> c_int {
    let (spec, lock) = match take() {
        Ok(taken) => taken,
        Err(Refusal::Taken) => return greet(greeting, Greeting::Taken),
        Err(Refusal::Broken(Errno(errno))) => return greet(greeting, Greeting::Broken { errno }),
    };
    let began = sys::moment();
    let mut finish = Finish::new(began);
    // A delayed shim must not start the program after its lease has expired: another host may run the job by now.
    let in_time = if is_lease_over(&spec) { Err((Step::Setup, Errno(libc::ETIME))) } else { Ok(()) };
    let watch = match in_time.and_then(|()| Ready::new(&spec)).and_then(|ready| ready.spawn(&spec)) {
        Ok(watch) => watch,
        Err((step, Errno(errno))) => {
            finish.record_start_failure(Ending::NotBegun { step, errno });
            return greet(greeting, Greeting::Failed);
        }
    };
    greet(greeting, Greeting::Started { shim_pid: sys::pid(), child_pid: watch.child() });
    let mut watch = watch;
    watch.run();
    finish.end(watch);
    // The lock is released last: a runner that finds it free also finds the outcome.
    drop(lock);
    0
}

/// Whether the lease would kill the run as soon as it starts.
fn is_lease_over(spec: &Spec) -> bool {
    spec.fence.is_some_and(|fence| sys::boot_ms() >= fence.lease_until_ms.saturating_sub(fence.kill_ms))
}

fn greet(greeting: OwnedFd, word: Greeting) -> c_int {
    let _ = sys::write(&greeting, format!("{word}\n").as_bytes());
    drop(greeting);
    0
}

enum Refusal {
    Taken,
    Broken(Errno),
}

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Self {
        Self::Broken(errno)
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        Self::Broken(Errno(error.raw_os_error().unwrap_or(libc::EIO)))
    }
}

/// Claims the run by linking the file `started`. The claim is never released, so no second shim can start this run.
fn take() -> Result<(Spec, OwnedFd), Refusal> {
    let spec = match fs::read("spec") {
        // The owner has removed the spec, because it contains secrets.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && fs::exists("started")? => {
            return Err(Refusal::Taken);
        }
        read => Spec::parse(&read?).map_err(|_| Errno(libc::EINVAL))?,
    };
    sys::adopt_orphans()?;
    let lock = sys::open(c"lock", libc::O_RDWR | libc::O_CREAT)?;
    match sys::lock(&lock) {
        Ok(()) => {}
        Err(Errno(libc::EAGAIN | libc::EACCES)) => return Err(Refusal::Taken),
        // A file system without locks: the link below decides alone, and runners check the process instead.
        Err(_) => {}
    }
    let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let marker = Marker::Shim {
        run_id: spec.run_id.clone(),
        boot_id: boot_id.trim().to_owned(),
        pid: sys::pid(),
        ticks: marker::ticks_of(&fs::read("/proc/self/stat")?).unwrap_or_default(),
        cgroup: cgroup::plan(&spec.run_id).and_then(|path| path.into_string().ok()),
    };
    // Write it under another name and link it: `started` appears complete, and only one process can create it.
    let aside = CString::new(format!("started.{}", sys::pid())).unwrap_or_default();
    fs::write(aside.to_str().unwrap_or_default(), marker.to_text())?;
    let linked = sys::link(&aside, c"started");
    sys::unlink(&aside);
    match linked {
        Ok(()) => {
            sys::unlink(c"spec");
            Ok((spec, lock))
        }
        Err(Errno(libc::EEXIST)) => Err(Refusal::Taken),
        Err(errno) => Err(errno.into()),
    }
}

/// The resources of a run, created before its process: a failure after `fork` is harder to report and to undo.
struct Ready {
    sources: Sources,
    tree: Tree,
    output: Output,
    cgroup: Option<Cgroup>,
    for_child: [OwnedFd; 2],
    stdin: Option<OwnedFd>,
}

impl Ready {
    fn new(spec: &Spec) -> Result<Self, (Step, Errno)> {
        Self::lay_out(spec).map_err(|errno| (Step::Setup, errno))
    }

    fn lay_out(spec: &Spec) -> sys::Result<Self> {
        let output = Output::new(spec.caps)?;
        let listener = sys::listen(c"sock")?;
        let (out_reader, out_writer) = sys::pipe()?;
        let (err_reader, err_writer) = if spec.is_merged {
            let same = out_writer.try_clone().map_err(|_| sys::errno())?;
            (None, same)
        } else {
            let (reader, writer) = sys::pipe()?;
            (Some(reader), writer)
        };
        Ok(Self {
            sources: Sources {
                signals: sys::signals()?,
                timer: sys::timer()?,
                listener,
                pipes: [Some(out_reader), err_reader],
            },
            tree: Tree::new()?,
            output,
            cgroup: cgroup::plan(&spec.run_id).and_then(|path| Cgroup::make(path, &spec.limits)),
            for_child: [out_writer, err_writer],
            // A named pipe: a runner can write to it by its path, also after the runner restarted.
            stdin: if spec.has_stdin { Some(sys::fifo(c"stdin")?) } else { None },
        })
    }

    fn spawn(self, spec: &Spec) -> Result<Watch, (Step, Errno)> {
        let [output, error] = &self.for_child;
        let standard = Standard { input: self.stdin.as_ref(), output, error };
        let child = child::spawn(spec, &standard, self.cgroup.as_ref()).inspect_err(|_| {
            if let Some(cgroup) = &self.cgroup {
                cgroup.remove();
            }
        })?;
        // Drop the child's ends of the pipes here; else the pipes would not end with the last process of the run.
        Ok(Watch::new(spec, child, self.sources, self.tree, self.output, self.cgroup, self.stdin))
    }
}
