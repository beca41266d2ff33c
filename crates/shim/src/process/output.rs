//! The output files: the head in `log`, the tail in a ring of two segments, and an exact count of dropped bytes.
//!
//! A failed write drops output instead of blocking: a full disk must not stop the program.

use std::{ffi::CStr, os::fd::OwnedFd};

use shim::{
    Caps,
    record::{Header, Mark, Stream},
};

use crate::sys;

/// The output files. Segment 0 is the log; later segments alternate between the two tail files.
const NAMES: [&CStr; 3] = [c"log", c"tail.0", c"tail.1"];

#[derive(Default)]
struct Part {
    fd: Option<OwnedFd>,
    /// Size of the file, headers included.
    length: u64,
    /// Bytes of output in the file.
    kept: u64,
}

/// Writer of the output files.
pub(crate) struct Output {
    parts: [Part; 3],
    /// Bytes of output so far, stored or dropped.
    position: u64,
    /// Current segment; 0 is the log.
    segment: u64,
    /// Bytes of output that still fit in this segment.
    room: u64,
    /// Bytes of output in a segment of the tail.
    half: u64,
    /// Whether a mark must precede the next record: at the start of a tail segment, and after dropped output.
    needs_mark: bool,
}

impl Output {
    pub(crate) fn new(caps: Caps) -> sys::Result<Self> {
        let mut parts: [Part; 3] = Default::default();
        parts[0].fd = Some(create(NAMES[0])?);
        Ok(Self { parts, position: 0, segment: 0, room: caps.head_bytes, half: caps.tail_bytes / 2, needs_mark: false })
    }

    /// Bytes of output in total, and how many of them are in no file.
    pub(crate) fn totals(&self) -> (u64, u64) {
        let kept = self.parts.iter().map(|part| part.kept).sum();
        (self.position, self.position.saturating_sub(kept))
    }

    /// Stores bytes that were read from a stream.
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

    /// Syncs the output files to disk.
    pub(crate) fn sync(&self) {
        self.parts.iter().filter_map(|part| part.fd.as_ref()).for_each(sys::sync);
    }

    /// Continues in the other file of the tail and overwrites it.
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

    /// Writes one record. A record that was written only in part is cut off again, so that readers never see half of
    /// one.
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
