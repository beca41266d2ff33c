//! Finds values in text that encodes them: JSON and URL escapes, hexadecimal, base64, and base64 or hexadecimal within
//! escapes.
//!
//! The text is decoded and then searched, because one value has many encodings: each program escapes other characters, and
//! base64 depends on the bytes before the value. So the number of patterns does not grow, and a line costs a few
//! searches more, only where it contains runs that can be decoded.

use std::ops::Range;

use aho_corasick::AhoCorasick;

use super::Spans;

/// The largest number of bytes of text that encode one byte of a value: a control character in JSON within JSON, such
/// as `\\u0001`, has seven.
pub(super) const EXPANSION_MAX: usize = 8;
/// JSON within JSON is unescaped; deeper levels are not.
const JSON_LEVELS: usize = 2;

/// A finder of encoded values.
pub(super) struct EncodedFinder {
    values: AhoCorasick,
    /// Length of the shortest value.
    shortest: usize,
    /// Whether a value contains a space, which a form encodes as `+`.
    has_space: bool,
}

/// Text with its escapes decoded, and for each byte of it the place of its escape in the line. One more entry is the
/// length of the line.
struct Unescaped {
    bytes: Vec<u8>,
    places: Vec<usize>,
}

impl EncodedFinder {
    /// A finder of these values, none of which is empty. `None` without values.
    pub(super) fn new(values: &[Vec<u8>]) -> Option<Self> {
        let shortest = values.iter().map(Vec::len).min()?;
        let has_space = values.iter().any(|value| value.contains(&b' '));
        // Fails only if the values exceed the address space.
        AhoCorasick::new(values).ok().map(|values| Self { values, shortest, has_space })
    }

    /// Adds the spans of the encoded values in this line.
    pub(super) fn find(&self, line: &[u8], spans: &mut Spans) {
        self.find_runs(line, &|found: Range<usize>| found, spans);
        if line.contains(&b'%') {
            self.find_unescaped(&unescape_url(&Unescaped::of(line), false), spans);
        }
        if self.has_space && line.contains(&b'+') {
            self.find_unescaped(&unescape_url(&Unescaped::of(line), true), spans);
        }
        let mut text = Unescaped::of(line);
        for _ in 0..JSON_LEVELS {
            if !text.bytes.contains(&b'\\') {
                break;
            }
            text = unescape_json(&text);
            self.find_unescaped(&text, spans);
        }
    }

    fn find_unescaped(&self, text: &Unescaped, spans: &mut Spans) {
        let place = |found: Range<usize>| text.places[found.start]..text.places[found.end];
        spans.add_all(self.values.find_overlapping_iter(&text.bytes).map(|found| place(found.start()..found.end())));
        self.find_runs(&text.bytes, &place, spans);
    }

    /// Searches the runs of hexadecimal digits and of base64 characters, at each alignment.
    fn find_runs(&self, text: &[u8], place: &dyn Fn(Range<usize>) -> Range<usize>, spans: &mut Spans) {
        let mut decoded = Vec::new();
        let search = |decoded: &[u8], at: &dyn Fn(usize, usize) -> Range<usize>, spans: &mut Spans| {
            let found = self.values.find_overlapping_iter(decoded);
            spans.add_all(found.map(|found| place(at(found.start(), found.end()))));
        };
        for run in runs(text, |byte| hex_digit(byte).is_some(), self.shortest * 2) {
            for start in run.start..run.start + 2 {
                decoded.clear();
                let pairs = text[start..run.end].chunks_exact(2);
                decoded.extend(pairs.filter_map(|pair| Some(hex_digit(pair[0])? << 4 | hex_digit(pair[1])?)));
                search(&decoded, &|from, to| start + 2 * from..start + 2 * to, spans);
            }
        }
        for run in runs(text, |byte| base64_digit(byte).is_some(), (self.shortest * 4).div_ceil(3)) {
            for start in run.start..(run.start + 4).min(run.end) {
                decode_base64(&text[start..run.end], &mut decoded);
                // Three bytes are four characters; a byte shares its first and last character with its neighbours.
                search(&decoded, &|from, to| start + from * 4 / 3..start + (to * 4).div_ceil(3), spans);
            }
        }
    }
}

impl Unescaped {
    fn of(line: &[u8]) -> Self {
        Self { bytes: line.to_vec(), places: (0..=line.len()).collect() }
    }

    /// Decodes escapes. `decode` returns the decoded bytes of the escape that the text begins with, and its length.
    fn decoded(&self, mut decode: impl FnMut(&[u8]) -> Option<([u8; 4], usize, usize)>) -> Self {
        let (mut bytes, mut places) = (Vec::with_capacity(self.bytes.len()), Vec::with_capacity(self.places.len()));
        let mut at = 0;
        while at < self.bytes.len() {
            let (decoded, count, length) = decode(&self.bytes[at..]).unwrap_or(([self.bytes[at], 0, 0, 0], 1, 1));
            bytes.extend_from_slice(&decoded[..count]);
            places.extend(std::iter::repeat_n(self.places[at], count));
            at += length;
        }
        places.push(self.places[at]);
        Self { bytes, places }
    }
}

/// The maximal runs of these characters with at least this length.
fn runs(text: &[u8], is_in: impl Fn(u8) -> bool, shortest: usize) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() {
            let start = at + text[at..].iter().position(|byte| is_in(*byte)).unwrap_or(text.len() - at);
            let length = text[start..].iter().position(|byte| !is_in(*byte)).unwrap_or(text.len() - start);
            at = start + length;
            if length >= shortest {
                return Some(start..at);
            }
        }
        None
    })
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// The value of a character of either alphabet, standard or for URLs.
fn base64_digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

/// Decodes base64 without padding; an incomplete last byte is dropped.
fn decode_base64(text: &[u8], into: &mut Vec<u8>) {
    into.clear();
    let (mut bits, mut count) = (0_u32, 0);
    for digit in text.iter().filter_map(|byte| base64_digit(*byte)) {
        bits = (bits << 6 | u32::from(digit)) & 0xFFFF;
        count += 6;
        if count >= 8 {
            count -= 8;
            #[expect(clippy::cast_possible_truncation, reason = "the low eight bits are the byte")]
            into.push((bits >> count) as u8);
        }
    }
}

fn unescape_url(text: &Unescaped, is_form: bool) -> Unescaped {
    text.decoded(|rest| match rest {
        [b'%', high, low, ..] => Some(([hex_digit(*high)? << 4 | hex_digit(*low)?, 0, 0, 0], 1, 3)),
        [b'+', ..] if is_form => Some(([b' ', 0, 0, 0], 1, 1)),
        _ => None,
    })
}

/// Decodes the escapes of JSON, and `\'` and `\x41` of other languages.
fn unescape_json(text: &Unescaped) -> Unescaped {
    text.decoded(|rest| {
        let one = |byte: u8, length| Some(([byte, 0, 0, 0], 1, length));
        match rest {
            [b'\\', byte @ (b'"' | b'\\' | b'/' | b'\''), ..] => one(*byte, 2),
            [b'\\', b'b', ..] => one(8, 2),
            [b'\\', b'f', ..] => one(12, 2),
            [b'\\', b'n', ..] => one(b'\n', 2),
            [b'\\', b'r', ..] => one(b'\r', 2),
            [b'\\', b't', ..] => one(b'\t', 2),
            [b'\\', b'x', high, low, ..] => one(hex_digit(*high)? << 4 | hex_digit(*low)?, 4),
            [b'\\', b'u', ..] => {
                let (unit, mut length) = (unicode_escape(rest)?, 6);
                let mut code = unit;
                if (0xD800..0xDC00).contains(&unit) {
                    let low = unicode_escape(&rest[6..]).filter(|low| (0xDC00..0xE000).contains(low))?;
                    (code, length) = (0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00), 12);
                }
                let mut bytes = [0; 4];
                let count = char::from_u32(code)?.encode_utf8(&mut bytes).len();
                Some((bytes, count, length))
            }
            _ => None,
        }
    })
}

/// The code unit of the escape `\u…` that the text begins with.
fn unicode_escape(text: &[u8]) -> Option<u32> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |code, digit| Some(code << 4 | u32::from(hex_digit(*digit)?)))
}
