//! Splits output into lines, per stream, with secrets masked and long lines cut.

use std::ops::Range;

use domain::Timestamp;
use serde::{Deserialize, Serialize};

use super::redact::{Memory, Redactor};

/// Longest line, in raw bytes. The rest of a longer line continues in the next one.
pub const LINE_BYTES_MAX: usize = 64 * 1024;

/// A line of output, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Number of the line, from zero, all streams together.
    pub no: u64,
    /// When the shim read its first byte.
    pub at: Timestamp,
    pub stream: OutputStream,
    /// Without its line break. Invalid UTF-8 is replaced by `U+FFFD`.
    pub text: String,
    /// Whether the line continues in the next line of its stream, or in output that was dropped.
    pub is_cut: bool,
}

/// The origin of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputStream {
    /// Standard output, or both streams if they are merged.
    Out,
    Err,
    /// A message of the runner about the output.
    System,
}

impl OutputStream {
    pub(super) fn index(self) -> usize {
        match self {
            Self::Out => 0,
            Self::Err => 1,
            Self::System => 2,
        }
    }
}

/// A line without a number, and how much of the stream it covers.
pub(super) struct LinePart {
    pub(super) text: String,
    pub(super) at: Timestamp,
    pub(super) is_cut: bool,
    /// Bytes of the stream, line break included.
    pub(super) bytes: u64,
    /// How many of the next lines of the stream may belong to a private key.
    pub(super) key_lines: u16,
}

/// Assembles the lines of one stream. Its memory is bounded, however long a line is.
pub(super) struct Assembler {
    carry: Vec<u8>,
    /// When the first byte of `carry` was read.
    at: Timestamp,
    /// `carry` has no line break before this index.
    scanned: usize,
    memory: Memory,
}

impl Assembler {
    pub(super) fn new(key_lines: u16) -> Self {
        Self { carry: Vec::new(), at: Timestamp::from_micros(0), scanned: 0, memory: Memory::new(key_lines) }
    }

    /// Adds bytes and returns the lines that they complete.
    pub(super) fn push(&mut self, bytes: &[u8], at: Timestamp, redactor: &Redactor, mut give: impl FnMut(LinePart)) {
        if self.carry.is_empty() {
            self.at = at;
        }
        self.carry.extend_from_slice(bytes);
        let carry = std::mem::take(&mut self.carry);
        let mut start = 0;
        while let Some(length) = carry[self.scanned..].iter().position(|byte| *byte == b'\n') {
            let end = self.scanned + length;
            self.line(&carry[start..end], 1, redactor, &mut give);
            (start, self.scanned, self.at) = (end + 1, end + 1, at);
        }
        let reach = LINE_BYTES_MAX + redactor.overlap();
        while carry.len() - start >= reach {
            start += self.cut(&carry[start..], redactor, &mut give);
            self.at = at;
        }
        self.scanned = carry.len() - start;
        self.carry = carry;
        self.carry.drain(..start);
    }

    /// Returns the incomplete last line: the stream has ended, or the following bytes were dropped.
    pub(super) fn flush(&mut self, is_cut: bool, redactor: &Redactor, mut give: impl FnMut(LinePart)) {
        let carry = std::mem::take(&mut self.carry);
        self.scanned = 0;
        if !carry.is_empty() {
            self.line(&carry, 0, redactor, &mut |mut piece: LinePart| {
                piece.is_cut |= is_cut;
                give(piece);
            });
        }
    }

    /// Handles a whole line, whose line break has `ending` bytes.
    fn line(&mut self, mut raw: &[u8], ending: u64, redactor: &Redactor, give: &mut impl FnMut(LinePart)) {
        while raw.len() > LINE_BYTES_MAX {
            let cut = self.cut(raw, redactor, give);
            raw = &raw[cut..];
        }
        let shown = raw.strip_suffix(b"\r").unwrap_or(raw);
        let spans = redactor.spans(shown, &mut self.memory);
        let text = text_of(shown, &spans);
        self.memory.pass(shown, true, redactor);
        let bytes = raw.len() as u64 + ending;
        give(LinePart { text, at: self.at, is_cut: false, bytes, key_lines: self.memory.key_lines });
    }

    /// Cuts the first part off a long line and returns its length. A secret is never cut in two, because neither half
    /// would be recognized.
    fn cut(&mut self, raw: &[u8], redactor: &Redactor, give: &mut impl FnMut(LinePart)) -> usize {
        let before = self.memory.key_lines;
        let spans = redactor.spans(raw, &mut self.memory);
        let across = spans.iter().find(|span| span.start < LINE_BYTES_MAX && span.end > LINE_BYTES_MAX);
        let end = match across {
            Some(span) if span.start > 0 => span.start,
            Some(span) => span.end,
            None => boundary(raw, LINE_BYTES_MAX),
        };
        let inside: Vec<_> = spans.into_iter().filter(|span| span.end <= end).collect();
        let text = text_of(&raw[..end], &inside);
        self.memory.pass(&raw[..end], false, redactor);
        // A part of a line of a private key does not count as one of its lines.
        if before > 0 && self.memory.key_lines > 0 {
            self.memory.key_lines = before;
        }
        let key_lines = self.memory.key_lines;
        give(LinePart { text, at: self.at, is_cut: true, bytes: end as u64, key_lines });
        end
    }
}

/// The text with these spans masked.
fn text_of(raw: &[u8], spans: &[Range<usize>]) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut from = 0;
    for span in spans {
        text.push_str(&String::from_utf8_lossy(&raw[from..span.start]));
        text.push_str(super::redact::MASK);
        from = span.end;
    }
    text.push_str(&String::from_utf8_lossy(&raw[from..]));
    text
}

/// The last position at or before `at` that is not inside a character.
fn boundary(raw: &[u8], at: usize) -> usize {
    let is_inside = |place: usize| raw.get(place).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000);
    let place = (at.saturating_sub(3)..=at).rev().find(|place| !is_inside(*place));
    place.filter(|place| *place > 0).unwrap_or(at)
}
