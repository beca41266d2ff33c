//! Connections of runners. An idle connection is closed after a short time, unless it waits for the end of the run.

use std::{io::Write, os::fd::OwnedFd};

use shim::wire::{Answer, LINE_MAX, Request};

use crate::sys;

/// Most connections at a time. A new one replaces the one that is idle longest; waiting ones are replaced last.
pub(crate) const CLIENTS_MAX: usize = 8;
/// How long a connection may be idle.
const PATIENCE_MS: u64 = 5000;

pub(crate) struct Client {
    fd: OwnedFd,
    line: [u8; LINE_MAX],
    length: usize,
    since_ms: u64,
    is_waiting: bool,
    is_safe: bool,
}

/// All connections.
#[derive(Default)]
pub(crate) struct Clients([Option<Client>; CLIENTS_MAX]);

impl Clients {
    /// Poll entries of the connections, in the order of their slots.
    pub(crate) fn interests(&self) -> [libc::pollfd; CLIENTS_MAX] {
        std::array::from_fn(|place| sys::interest(self.0[place].as_ref().map(|client| &client.fd)))
    }

    /// When the next idle connection expires.
    pub(crate) fn deadline(&self) -> Option<u64> {
        let silent = self.0.iter().flatten().filter(|client| !client.is_waiting);
        silent.map(|client| client.since_ms + PATIENCE_MS).min()
    }

    /// Closes connections that have been idle too long.
    pub(crate) fn expire(&mut self, now_ms: u64) {
        self.keep(|client| client.is_waiting || client.since_ms + PATIENCE_MS > now_ms);
    }

    /// Adds a connection.
    pub(crate) fn add(&mut self, fd: OwnedFd, now_ms: u64) {
        let client = Client { fd, line: [0; LINE_MAX], length: 0, since_ms: now_ms, is_waiting: false, is_safe: false };
        let free = self.0.iter().position(Option::is_none);
        let idlest = || {
            let rank = |client: &Client| (client.is_waiting, client.since_ms);
            (0..CLIENTS_MAX).min_by_key(|place| self.0[*place].as_ref().map(rank))
        };
        if let Some(place) = free.or_else(idlest) {
            self.0[place] = Some(client);
        }
    }

    /// Reads a client's requests, passes each to `act` and sends the answer. Closes the connection on an error.
    pub(crate) fn handle_requests(
        &mut self,
        place: usize,
        now_ms: u64,
        mut act: impl FnMut(Request) -> Answer<'static>,
        id: (&str, i32),
    ) {
        let Some(client) = self.0.get_mut(place).and_then(Option::as_mut) else { return };
        let is_kept = client.read() && {
            client.since_ms = now_ms;
            loop {
                let Some(request) = client.next() else { break client.length < LINE_MAX };
                let is_kept = match request {
                    Some(Request::Id) => client.send(Answer::Id { run_id: id.0, child_pid: id.1 }),
                    Some(Request::Ack) => {
                        client.is_safe = true;
                        true
                    }
                    Some(Request::Wait) => {
                        client.is_waiting = true;
                        client.send(Answer::Done)
                    }
                    Some(request) => client.send(act(request)),
                    None => false,
                };
                if !is_kept {
                    break false;
                }
            }
        };
        if !is_kept {
            self.0[place] = None;
        }
    }

    /// Sends `exit` to waiting clients and closes all other connections.
    pub(crate) fn announce(&mut self) {
        self.keep(|client| client.is_waiting && client.send(Answer::Exit));
    }

    /// Whether no client is connected.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// Whether a client has confirmed that it stored the outcome.
    pub(crate) fn is_safe(&self) -> bool {
        self.0.iter().flatten().any(|client| client.is_safe)
    }

    fn keep(&mut self, is_kept: impl Fn(&Client) -> bool) {
        for place in &mut self.0 {
            if place.as_ref().is_some_and(|client| !is_kept(client)) {
                *place = None;
            }
        }
    }
}

impl Client {
    /// Reads into the line buffer. Returns `false` if the connection has ended or the line is too long.
    fn read(&mut self) -> bool {
        let Some(room) = self.line.get_mut(self.length..) else { return false };
        match sys::read(&self.fd, room) {
            Ok(0) | Err(_) => false,
            Ok(got) => {
                self.length += got;
                true
            }
        }
    }

    /// The next whole line: a request, or `Some(None)` for an invalid line.
    fn next(&mut self) -> Option<Option<Request>> {
        let end = self.line.get(..self.length)?.iter().position(|byte| *byte == b'\n')?;
        let request = Request::parse(self.line.get(..end)?);
        self.line.copy_within(end + 1..self.length, 0);
        self.length -= end + 1;
        Some(request)
    }

    fn send(&self, answer: Answer<'_>) -> bool {
        let mut line = [0; LINE_MAX];
        let mut rest = &mut line[..];
        let is_written = writeln!(rest, "{answer}").is_ok();
        let left = rest.len();
        is_written && sys::send(&self.fd, line.get(..LINE_MAX - left).unwrap_or_default())
    }
}
