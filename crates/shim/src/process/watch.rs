//! The event loop of a run: it ends when no process of the run is left and its output is read.

use std::os::fd::OwnedFd;

use libc::c_int;
use shim::{
    Ending, Fence, Spec, Why,
    record::{PAYLOAD_MAX, Stream},
    wire::{Answer, Request},
};

use crate::{
    cgroup::Cgroup,
    clients::{CLIENTS_MAX, Clients},
    output::Output,
    sys::{self, Reaped},
    tree::Tree,
};

/// First and longest pause between two rounds of `SIGKILL`. Rounds repeat because a process may fork during one.
const ROUND_MS: (u64, u64) = (5, 250);
/// Limits for reading a pipe after the last process of the run: only a process outside the run can still hold it open.
/// Stop after this much silence, and after this much time.
const DRAIN_IDLE_MS: u64 = 500;
const DRAIN_MS: u64 = 5000;

/// The descriptors that the loop polls.
pub(crate) struct Sources {
    pub(crate) signals: OwnedFd,
    pub(crate) timer: OwnedFd,
    pub(crate) listener: OwnedFd,
    /// Standard output and error; `None` after end of file.
    pub(crate) pipes: [Option<OwnedFd>; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// All processes got `SIGTERM` and get `SIGKILL` at this time.
    Asked {
        kill_at_ms: u64,
    },
    /// All processes are being killed; the next round is at `again_at_ms`.
    Killing {
        again_at_ms: u64,
        pause_ms: u64,
    },
    /// All processes are gone; the pipes are read until these times.
    Draining {
        idle_at_ms: u64,
        until_ms: u64,
    },
    Over,
}

/// A supervised run.
pub(crate) struct Watch {
    run_id: String,
    grace_ms: u64,
    timeout_at_ms: Option<u64>,
    fence: Option<Fence>,
    child: c_int,
    phase: Phase,
    why: Why,
    ending: Option<Ending>,
    left_over: u32,
    sources: Sources,
    pub(crate) clients: Clients,
    tree: Tree,
    pub(crate) output: Output,
    pub(crate) cgroup: Option<Cgroup>,
    buffer: Vec<u8>,
    /// Keeps the named pipe open, so that the program does not read end of file between two writers.
    _stdin: Option<OwnedFd>,
}

impl Watch {
    pub(crate) fn new(
        spec: &Spec,
        child: c_int,
        sources: Sources,
        tree: Tree,
        output: Output,
        cgroup: Option<Cgroup>,
        stdin: Option<OwnedFd>,
    ) -> Self {
        Self {
            run_id: spec.run_id.clone(),
            grace_ms: spec.grace_ms,
            timeout_at_ms: spec.timeout_ms.map(|timeout| sys::boot_ms().saturating_add(timeout)),
            fence: spec.fence,
            child,
            phase: Phase::Running,
            why: Why::Itself,
            ending: None,
            left_over: 0,
            sources,
            clients: Clients::default(),
            tree,
            output,
            cgroup,
            buffer: vec![0; PAYLOAD_MAX],
            _stdin: stdin,
        }
    }

    pub(crate) fn child(&self) -> c_int {
        self.child
    }

    /// Why the run ended, how its main process ended, and how many other processes were alive then.
    pub(crate) fn ended(&self) -> (Why, Ending, u32) {
        (self.why, self.ending.unwrap_or(Ending::Signal(libc::SIGKILL)), self.left_over)
    }

    /// Supervises the run until it has ended.
    pub(crate) fn run(&mut self) {
        // A child may have ended before the signal descriptor existed.
        self.reap();
        while self.phase != Phase::Over {
            sys::set_timer(&self.sources.timer, self.deadline());
            let [out, err] = &self.sources.pipes;
            let mut interests = [libc::pollfd { fd: -1, events: 0, revents: 0 }; 5 + CLIENTS_MAX];
            interests[0] = sys::interest(Some(&self.sources.signals));
            interests[1] = sys::interest(Some(&self.sources.timer));
            interests[2] = sys::interest(Some(&self.sources.listener));
            interests[3] = sys::interest(out.as_ref());
            interests[4] = sys::interest(err.as_ref());
            interests[5..].copy_from_slice(&self.clients.interests());
            sys::poll(&mut interests, -1);
            let is_ready = |place: usize| interests[place].revents != 0;
            for (pipe, stream) in [Stream::Out, Stream::Err].into_iter().enumerate() {
                if is_ready(3 + pipe) {
                    self.read(pipe, stream);
                }
            }
            if is_ready(0) {
                self.handle_signals();
            }
            for place in 0..CLIENTS_MAX {
                if is_ready(5 + place) {
                    self.handle_client(place);
                }
            }
            if is_ready(2)
                && let Some(client) = sys::accept(&self.sources.listener)
            {
                self.clients.add(client, sys::boot_ms());
            }
            self.tick(sys::boot_ms());
        }
    }

    /// The next time at which something is due. Without one the shim sleeps until a descriptor is ready.
    fn deadline(&self) -> Option<u64> {
        let (fence_term, fence_kill) = self.fence_times();
        let by_phase = match self.phase {
            Phase::Running => [self.timeout_at_ms, fence_term],
            Phase::Asked { kill_at_ms } => [Some(kill_at_ms), fence_kill],
            Phase::Killing { again_at_ms, .. } => [Some(again_at_ms), None],
            Phase::Draining { idle_at_ms, until_ms } => [Some(idle_at_ms), Some(until_ms)],
            Phase::Over => [None, None],
        };
        by_phase.into_iter().flatten().chain(self.clients.deadline()).min()
    }

    /// When the lease requires `SIGTERM`, and when `SIGKILL`.
    fn fence_times(&self) -> (Option<u64>, Option<u64>) {
        let before = |lead: fn(Fence) -> u64| self.fence.map(|fence| fence.lease_until_ms.saturating_sub(lead(fence)));
        (before(|fence| fence.term_ms), before(|fence| fence.kill_ms))
    }

    /// Performs the actions that are due.
    fn tick(&mut self, now_ms: u64) {
        let is_due = |at: Option<u64>| at.is_some_and(|at| at <= now_ms);
        self.clients.expire(now_ms);
        let (fence_term, fence_kill) = self.fence_times();
        match self.phase {
            Phase::Running if is_due(fence_term) => self.ask(Why::Fenced, u64::MAX),
            Phase::Running if is_due(self.timeout_at_ms) => self.ask(Why::TimedOut, self.grace_ms),
            Phase::Asked { kill_at_ms } if is_due(Some(kill_at_ms)) || is_due(fence_kill) => self.kill(ROUND_MS.0),
            Phase::Killing { again_at_ms, pause_ms } if is_due(Some(again_at_ms)) => {
                self.kill((pause_ms * 2).min(ROUND_MS.1));
            }
            Phase::Draining { idle_at_ms, until_ms } => {
                let has_ended = self.sources.pipes.iter().all(Option::is_none);
                if has_ended || is_due(Some(idle_at_ms)) || is_due(Some(until_ms)) {
                    self.phase = Phase::Over;
                }
            }
            _ => {}
        }
    }

    fn read(&mut self, pipe: usize, stream: Stream) {
        let Some(fd) = &self.sources.pipes[pipe] else { return };
        match sys::read(fd, &mut self.buffer) {
            Ok(0) | Err(_) => self.sources.pipes[pipe] = None,
            Ok(got) => {
                self.output.take(stream, self.buffer.get(..got).unwrap_or_default());
                if let Phase::Draining { idle_at_ms, .. } = &mut self.phase {
                    *idle_at_ms = sys::boot_ms() + DRAIN_IDLE_MS;
                }
            }
        }
    }

    fn handle_signals(&mut self) {
        while let Some(signal) = sys::next_signal(&self.sources.signals) {
            if signal == libc::SIGTERM {
                self.ask(Why::Stopped, self.grace_ms);
            }
        }
        self.reap();
    }

    fn handle_client(&mut self, place: usize) {
        let mut clients = std::mem::take(&mut self.clients);
        let (run_id, child) = (std::mem::take(&mut self.run_id), self.child);
        clients.handle_requests(place, sys::boot_ms(), |request| self.act(request), (&run_id, child));
        (self.clients, self.run_id) = (clients, run_id);
    }

    fn act(&mut self, request: Request) -> Answer<'static> {
        match request {
            Request::Stop { grace_ms } => self.ask(Why::Stopped, grace_ms),
            Request::Kill => self.ask(Why::Stopped, 0),
            Request::Lease { until_ms } => match &mut self.fence {
                None => return Answer::Refused("the run has no lease"),
                Some(_) if self.why == Why::Fenced => return Answer::Refused("the lease has expired"),
                Some(fence) => fence.lease_until_ms = until_ms,
            },
            Request::Signal { number } => return self.signal(number),
            _ => return Answer::Refused("unknown request"),
        }
        Answer::Done
    }

    /// Sends a signal to the main process. It is a child that is not yet reaped, so its process id cannot have been
    /// reused.
    fn signal(&self, number: u64) -> Answer<'static> {
        let Some(signal) = c_int::try_from(number).ok().filter(|signal| (1..=64).contains(signal)) else {
            return Answer::Refused("no such signal");
        };
        if self.ending.is_some() {
            return Answer::Refused("the program has ended");
        }
        // SAFETY: both signals go to a child of this process.
        unsafe {
            libc::kill(self.child, signal);
            // A stopped process handles signals only after it continues.
            libc::kill(self.child, libc::SIGCONT);
        }
        Answer::Done
    }

    /// Sends `SIGTERM` to all processes and sets the time of `SIGKILL`. A second request can only shorten the grace
    /// period.
    fn ask(&mut self, why: Why, grace_ms: u64) {
        let kill_at_ms = sys::boot_ms().saturating_add(grace_ms);
        match &mut self.phase {
            Phase::Running => {
                self.why = why;
                self.phase = Phase::Asked { kill_at_ms };
                if grace_ms > 0 {
                    self.tree.ask();
                }
            }
            Phase::Asked { kill_at_ms: sooner } => *sooner = kill_at_ms.min(*sooner),
            _ => {}
        }
    }

    /// One round of `SIGKILL`.
    fn kill(&mut self, pause_ms: u64) {
        if let Some(cgroup) = &self.cgroup {
            cgroup.kill();
        }
        self.tree.kill();
        self.phase = Phase::Killing { again_at_ms: sys::boot_ms() + pause_ms, pause_ms };
        self.reap();
    }

    /// Reaps ended children. The shim is the subreaper of the run, so "no child left" proves that no process is left.
    fn reap(&mut self) {
        loop {
            match sys::reap() {
                Reaped::Child(pid, status) if pid == self.child => {
                    self.ending = Some(ending(status));
                    if self.phase == Phase::Running {
                        self.left_over = self.tree.count();
                        self.phase = Phase::Killing { again_at_ms: sys::boot_ms(), pause_ms: ROUND_MS.0 };
                    }
                }
                Reaped::Child(..) => {}
                Reaped::None => return,
                Reaped::Alone => break,
            }
        }
        if !matches!(self.phase, Phase::Draining { .. } | Phase::Over) {
            let now_ms = sys::boot_ms();
            self.phase = Phase::Draining { idle_at_ms: now_ms + DRAIN_IDLE_MS, until_ms: now_ms + DRAIN_MS };
        }
    }
}

fn ending(status: c_int) -> Ending {
    if libc::WIFSIGNALED(status) {
        Ending::Signal(libc::WTERMSIG(status))
    } else {
        Ending::Code(libc::WEXITSTATUS(status))
    }
}
