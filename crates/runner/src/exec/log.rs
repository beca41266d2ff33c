//! Reads a run's output from its files, from any position, without contacting the shim.
//!
//! A [`Position`] is small, contains no output and points exactly behind the returned lines: a reader that saves it
//! together with the lines in one transaction neither loses nor repeats any.

use std::{
    collections::VecDeque,
    fs::File,
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use domain::Timestamp;
use serde::{Deserialize, Serialize};
use shim::{
    files,
    record::{self, HEADER_BYTES, Header, MARK_BYTES, Mark, PAYLOAD_MAX},
};

use super::{
    Redactor,
    inspect::read_outcome,
    lines::{Assembler, Line, LinePart, OutputStream},
};

/// Bytes per read: several records.
const CHUNK_BYTES: usize = 4 * (HEADER_BYTES + PAYLOAD_MAX);
/// At this many entries, entries that are fully returned are removed even from the middle of the queue.
const ENTRIES_MAX: usize = 1024;

/// A position in the output of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Number of the segment: 0 is the head (`log`), others are segments of the tail.
    segment: u64,
    /// Offset of the next record in the segment, in bytes.
    offset: u64,
    /// Bytes of output before that record.
    position: u64,
    /// For each stream: output before this position was returned.
    done: [u64; 3],
    /// Number of the next line.
    next_no: u64,
    /// For each stream: how many of the next lines may belong to a private key.
    key_lines: [u16; 2],
}

/// Reader of the output of one run.
pub struct Follower {
    dir: PathBuf,
    redactor: Redactor,
    /// Position behind the returned lines.
    returned: Position,
    /// Segment, offset and position of the next record to read. They run ahead of `returned`.
    segment: u64,
    offset: u64,
    position: u64,
    file: Option<(u64, File)>,
    streams: [Assembler; 2],
    /// Records that were read and are not yet returned completely. The oldest one is where a new reader must start.
    entries: VecDeque<Entry>,
    ready: VecDeque<(OutputStream, LinePart)>,
    is_flushed: bool,
}

/// A record with bytes that are not returned yet.
struct Entry {
    stream: OutputStream,
    segment: u64,
    offset: u64,
    position: u64,
    length: u64,
    used: u64,
}

impl Follower {
    /// A reader for the run in this folder, starting at this position.
    #[must_use]
    pub fn new(dir: &Path, redactor: Redactor, from: Position) -> Self {
        Self {
            dir: dir.to_owned(),
            redactor,
            segment: from.segment,
            offset: from.offset,
            position: from.position,
            file: None,
            streams: from.key_lines.map(Assembler::new),
            entries: VecDeque::new(),
            ready: VecDeque::new(),
            is_flushed: false,
            returned: from,
        }
    }

    /// Returns the next lines, at most `max_lines` and about `max_bytes`. An empty result means that there are no more
    /// lines for now or, if `is_over`, at all. Reads files, so call it on a thread that may block.
    pub fn poll(&mut self, is_over: bool, max_lines: usize, max_bytes: usize) -> io::Result<Vec<Line>> {
        let mut lines = Vec::new();
        let mut bytes = 0;
        while lines.len() < max_lines && bytes < max_bytes {
            if let Some((stream, piece)) = self.ready.pop_front() {
                let line = self.give(stream, piece);
                bytes += line.text.len();
                lines.push(line);
            } else if !self.fill(is_over)? {
                break;
            }
        }
        Ok(lines)
    }

    /// The position behind the returned lines.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.returned
    }

    /// Reads more records. Returns whether there was progress.
    fn fill(&mut self, is_over: bool) -> io::Result<bool> {
        // Look for the next segment first: it exists only when this one is complete. In the other order, records that
        // are appended between the two steps would be skipped.
        let next = self.next_segment()?;
        if self.read_chunk()? {
            return Ok(true);
        }
        if let Some(segment) = next {
            (self.segment, self.offset) = (segment, 0);
            return Ok(true);
        }
        if !is_over || self.is_flushed {
            return Ok(false);
        }
        self.is_flushed = true;
        self.flush(false);
        if let Some(outcome) = read_outcome(&self.dir)? {
            let at = Timestamp::from_micros(outcome.ended.wall_us);
            self.jump(outcome.output_bytes, self.offset, at);
        }
        Ok(true)
    }

    /// The oldest existing segment after this one. The segments in between may be overwritten already.
    fn next_segment(&self) -> io::Result<Option<u64>> {
        let mut next = None;
        for name in files::TAILS {
            let Some(file) = open(&self.dir.join(name))? else { continue };
            let found = first_mark(&file)?.map(|mark| mark.segment).filter(|segment| *segment > self.segment);
            next = [next, found].into_iter().flatten().min();
        }
        Ok(next)
    }

    /// Reads some records. Returns whether there was one.
    fn read_chunk(&mut self) -> io::Result<bool> {
        if self.file.as_ref().is_none_or(|(segment, _)| *segment != self.segment) {
            let name = match self.segment {
                0 => files::LOG,
                segment => files::TAILS[usize::from(segment % 2 == 0)],
            };
            self.file = open(&self.dir.join(name))?.map(|file| (self.segment, file));
        }
        let Some((_, file)) = &self.file else { return Ok(false) };
        let mut chunk = vec![0; CHUNK_BYTES];
        let length = read_at(file, &mut chunk, self.offset)?;
        chunk.truncate(length);
        // The shim overwrites segments in place. The bytes are valid only if the file still holds this segment now.
        if self.segment > 0 && first_mark(file)?.is_none_or(|mark| mark.segment != self.segment) {
            self.file = None;
            return Ok(false);
        }
        let mut rest = &chunk[..];
        let mut has_read = false;
        while let Some(header) = Header::parse(rest) {
            let end = HEADER_BYTES + header.length as usize;
            let Some(payload) = rest.get(HEADER_BYTES..end) else { break };
            self.take(header, payload);
            self.offset += end as u64;
            rest = &rest[end..];
            has_read = true;
        }
        Ok(has_read)
    }

    fn take(&mut self, header: Header, payload: &[u8]) {
        let at = Timestamp::from_micros(i64::try_from(header.wall_us).unwrap_or(i64::MAX));
        let stream = match header.stream {
            record::Stream::Mark => {
                if let Some(mark) = Mark::parse(payload) {
                    self.jump(mark.position, self.offset, at);
                }
                return;
            }
            record::Stream::Out => OutputStream::Out,
            record::Stream::Err => OutputStream::Err,
        };
        let (position, length) = (self.position, payload.len() as u64);
        self.position += length;
        // After a restart, part of this record may already have been returned.
        let used = self.returned.done[stream.index()].saturating_sub(position).min(length);
        if used == length {
            return;
        }
        if self.entries.len() >= ENTRIES_MAX {
            self.entries.retain(|entry| entry.used < entry.length);
        }
        self.entries.push_back(Entry { stream, segment: self.segment, offset: self.offset, position, length, used });
        let (assembler, ready) = (&mut self.streams[stream.index()], &mut self.ready);
        let fresh = usize::try_from(used).ok().and_then(|used| payload.get(used..)).unwrap_or_default();
        assembler.push(fresh, at, &self.redactor, |piece| ready.push_back((stream, piece)));
    }

    /// Continues at this position, with a system line for the dropped output in between.
    fn jump(&mut self, position: u64, offset: u64, at: Timestamp) {
        let covered = self.returned.done.into_iter().fold(self.position, u64::max);
        if position > covered {
            self.flush(true);
            let length = position - covered;
            let text = format!("… {} left out …", amount(length));
            let (segment, stream) = (self.segment, OutputStream::System);
            self.entries.push_back(Entry { stream, segment, offset, position: covered, length, used: 0 });
            self.ready.push_back((stream, LinePart { text, at, is_cut: false, bytes: length, key_lines: 0 }));
        }
        self.position = self.position.max(position);
    }

    /// Returns incomplete lines as lines.
    fn flush(&mut self, is_cut: bool) {
        for stream in [OutputStream::Out, OutputStream::Err] {
            let ready = &mut self.ready;
            let assembler = &mut self.streams[stream.index()];
            assembler.flush(is_cut, &self.redactor, |piece| ready.push_back((stream, piece)));
        }
    }

    /// Gives the line its number and moves the position behind it.
    fn give(&mut self, stream: OutputStream, piece: LinePart) -> Line {
        let mut left = piece.bytes;
        for entry in self.entries.iter_mut().filter(|entry| entry.stream == stream) {
            let here = left.min(entry.length - entry.used);
            entry.used += here;
            left -= here;
            self.returned.done[stream.index()] = entry.position + entry.used;
            if left == 0 {
                break;
            }
        }
        while self.entries.front().is_some_and(|entry| entry.used == entry.length) {
            self.entries.pop_front();
        }
        let front = self.entries.front();
        (self.returned.segment, self.returned.offset, self.returned.position) = front
            .map_or((self.segment, self.offset, self.position), |entry| (entry.segment, entry.offset, entry.position));
        if let Some(key_lines) = self.returned.key_lines.get_mut(stream.index()) {
            *key_lines = piece.key_lines;
        }
        let no = self.returned.next_no;
        self.returned.next_no += 1;
        Line { no, at: piece.at, stream, text: piece.text, is_cut: piece.is_cut }
    }
}

fn open(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads until the buffer is full or the file ends.
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match file.read_at(&mut buffer[length..], offset + length as u64) {
            Ok(0) => break,
            Ok(got) => length += got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// The mark at the start of a segment.
fn first_mark(file: &File) -> io::Result<Option<Mark>> {
    let mut bytes = [0; HEADER_BYTES + MARK_BYTES];
    let length = read_at(file, &mut bytes, 0)?;
    let is_mark = length == bytes.len() && Header::parse(&bytes).is_some_and(|is| is.stream == record::Stream::Mark);
    Ok(if is_mark { Mark::parse(&bytes[HEADER_BYTES..]) } else { None })
}

/// A size in bytes, formatted for people.
fn amount(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")];
    match units.into_iter().find(|(size, _)| bytes >= *size) {
        Some((size, unit)) => format!("{}.{} {unit}", bytes / size, bytes % size * 10 / size),
        None => format!("{bytes} bytes"),
    }
}
