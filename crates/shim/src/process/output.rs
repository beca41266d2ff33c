//! The output: the first part to `log`, the last to a ring of two files, and an exact count of what is in neither.
//! Whatever happens to the files, the program is never kept waiting.

use std::{ffi::CStr, os::fd::OwnedFd};

use shim::{
    Caps,
    record::{Header, Mark, Stream},
};

use crate::sys;

/// The files of the output, by the number of their segment: the log first, then the two of the tail by turns.
const NAMES: [&CStr; 3] = [c"log", c"tail.0", c"tail.1"];

/// One file.
#[derive(Default)]
struct Part {
    fd: Option<OwnedFd>,
    /// Bytes of the file.
    length: u64,
    /// Bytes of output in it.
    kept: u64,
}

/// Where the output goes.
pub(crate) struct Output {
    parts: [Part; 3],
    /// Bytes of output so far.
    position: u64,
    /// Zero is the log.
    segment: u64,
    /// How many bytes still go to this segment.
    room: u64,
    /// How many bytes go to a segment of the tail.
    half: u64,
    /// Whether the next record does not follow the last one in its file.
    needs_mark: bool,
}

impl Output {
    pub(crate) fn new(caps: Caps) -> sys::Result<Self> {
        let mut parts: [Part; 3] = Default::default();
        parts[0].fd = Some(create(NAMES[0])?);
        Ok(Self { parts, position: 0, segment: 0, room: caps.head_bytes, half: caps.tail_bytes / 2, needs_mark: false })
    }

    /// All bytes of output, and how many of them are in no file.
    pub(crate) fn totals(&self) -> (u64, u64) {
        let kept = self.parts.iter().map(|part| part.kept).sum();
        (self.position, self.position.saturating_sub(kept))
    }

    /// Takes what was read.
    pub(crate) fn take(&mut self, stream: Stream, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.room == 0 && self.half > 0 {
                self.turn();
            }
            if self.room == 0 {
                self.position += bytes.len() as u64;
                return;
            }
            let here = bytes.len().min(usize::try_from(self.room).unwrap_or(usize::MAX));
            let (now, later) = bytes.split_at(here);
            self.append(stream, now);
            self.room -= here as u64;
            bytes = later;
        }
    }

    /// Makes what is there durable.
    pub(crate) fn sync(&self) {
        self.parts.iter().filter_map(|part| part.fd.as_ref()).for_each(sys::sync);
    }

    /// Goes on in the other file of the tail, from its beginning.
    fn turn(&mut self) {
        self.segment += 1;
        self.room = self.half;
        self.needs_mark = true;
        let index = self.index();
        let part = &mut self.parts[index];
        (part.length, part.kept) = (0, 0);
        match &part.fd {
            Some(fd) => drop(sys::cut(fd, 0)),
            None => part.fd = create(NAMES[index]).ok(),
        }
    }

    fn index(&self) -> usize {
        if self.segment == 0 { 0 } else { 2 - usize::from(self.segment % 2 == 1) }
    }

    /// A record is there as a whole or not at all: a torn one is cut off again.
    fn append(&mut self, stream: Stream, bytes: &[u8]) {
        let wall_us = u64::try_from(sys::wall_us()).unwrap_or_default();
        let mark = Mark { segment: self.segment, position: self.position }.to_bytes(wall_us);
        let mark: &[u8] = if self.needs_mark { &mark } else { &[] };
        let header = Header { stream, flags: 0, length: bytes.len() as u32, wall_us }.to_bytes();
        let index = self.index();
        let part = &mut self.parts[index];
        let whole = mark.len() + header.len() + bytes.len();
        let is_written = match &part.fd {
            Some(fd) if sys::write_pieces(fd, [mark, &header, bytes]) == Ok(whole) => true,
            Some(fd) => {
                let _ = sys::cut(fd, part.length);
                false
            }
            None => false,
        };
        if is_written {
            part.length += whole as u64;
            part.kept += bytes.len() as u64;
        }
        self.needs_mark = !is_written;
        self.position += bytes.len() as u64;
    }
}

fn create(name: &CStr) -> sys::Result<OwnedFd> {
    sys::open(name, libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC)
}
