//! Splits output into lines, per stream, with secrets masked and long lines cut.

use std::ops::Range;

use domain::{
    Timestamp,
    redact::{LineMemory, MASK, Redactor},
};
use serde::{Deserialize, Serialize};

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
    memory: LineMemory,
}

impl Assembler {
    pub(super) fn new(key_lines: u16) -> Self {
        Self { carry: Vec::new(), at: Timestamp::from_micros(0), scanned: 0, memory: LineMemory::new(key_lines) }
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
        text.push_str(MASK);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The displayed text of these bytes when they arrive in these chunks, with the parts of a cut line joined.
    fn shown(bytes: &[u8], cuts: &[usize], redactor: &Redactor) -> String {
        let (mut assembler, mut text) = (Assembler::new(0), String::new());
        let mut give = |piece: LinePart| {
            text.push_str(&piece.text);
            if !piece.is_cut {
                text.push('\n');
            }
        };
        let (mut from, at) = (0, Timestamp::from_micros(0));
        for cut in cuts {
            let to = (from + cut).min(bytes.len());
            assembler.push(&bytes[from..to], at, redactor, &mut give);
            from = to;
        }
        assembler.push(&bytes[from..], at, redactor, &mut give);
        assembler.flush(false, redactor, &mut give);
        text
    }

    #[test]
    fn secret_at_a_cut_is_masked_as_a_whole() {
        let secret = "correct-horse-battery-staple";
        let redactor = Redactor::new([secret]);
        for before in LINE_BYTES_MAX - 30..LINE_BYTES_MAX + 2 {
            let text = format!("{}{secret}{}", "ä".repeat(before / 2) + &"-".repeat(before % 2), "y".repeat(20_000));
            // Byte by byte around the cut, so that each byte is once the last one that has arrived.
            let cuts: Vec<_> = [LINE_BYTES_MAX - 64].into_iter().chain([1; 128]).collect();
            let shown = shown(text.as_bytes(), &cuts, &redactor);
            assert!(!shown.contains("horse") && !shown.contains("battery") && !shown.contains('\u{fffd}'));
            assert_eq!(shown.trim_end(), text.replace(secret, MASK));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn output_never_contains_a_secret(
            secrets in prop::collection::vec("[a-d\n]{4,24}", 1..4),
            noise in prop::collection::vec("[a-d \n]{0,12}", 1..20),
            cuts in prop::collection::vec(1_usize..40, 0..60),
        ) {
            let secrets: Vec<_> = secrets.into_iter().map(|secret| secret.trim().to_owned()).collect();
            let redactor = Redactor::new(&secrets);
            let mut text = String::new();
            for (at, part) in noise.iter().enumerate() {
                text.push_str(part);
                text.push_str(&secrets[at % secrets.len()]);
            }
            let shown = shown(text.as_bytes(), &cuts, &redactor);
            for secret in secrets.iter().filter(|secret| secret.len() >= 4) {
                prop_assert!(!shown.contains(secret.as_str()), "{secret:?} is in {shown:?}");
            }
        }

        #[test]
        fn output_never_contains_an_encoded_secret(
            secret in "[a-z0-9+/&äö ]{6,24}",
            noise in prop::collection::vec("[a-d ]{0,12}", 1..12),
            cuts in prop::collection::vec(1_usize..40, 0..60),
        ) {
            let secret = secret.trim().to_owned();
            prop_assume!(secret.len() >= 4);
            let redactor = Redactor::new([&secret]);
            let bytes = secret.as_bytes();
            let forms = [
                data_encoding::HEXLOWER.encode(bytes),
                data_encoding::HEXUPPER.encode(bytes),
                data_encoding::BASE64.encode(bytes),
                data_encoding::BASE64URL_NOPAD.encode(bytes),
                bytes.iter().map(|byte| format!("%{byte:02X}")).collect(),
                secret.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect(),
            ];
            let mut text = String::new();
            for (at, part) in noise.iter().enumerate() {
                text.push_str(&format!("{part}\"{}\"", forms[at % forms.len()]));
            }
            let shown = shown(text.as_bytes(), &cuts, &redactor);
            for form in &forms {
                prop_assert!(!shown.contains(form.trim_end_matches('=')), "{form:?} is in {shown:?}");
            }
        }
    }

    #[test]
    fn encoded_secret_at_a_cut_is_masked_as_a_whole() {
        let secret = "correct horse/battery+staple";
        let redactor = Redactor::new([secret]);
        let escaped: String = secret.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        for form in [data_encoding::BASE64.encode(secret.as_bytes()), escaped] {
            for before in LINE_BYTES_MAX - form.len() - 1..LINE_BYTES_MAX + 2 {
                let text = format!("{}{form}{}", "-".repeat(before - 1) + "\"", "\"".repeat(20_000));
                let shown = shown(text.as_bytes(), &[LINE_BYTES_MAX - 64, 10, 100], &redactor);
                assert_eq!(shown.trim_end().replace('=', ""), text.replace(&form, MASK).replace('=', ""), "{before}");
            }
        }
    }
}
