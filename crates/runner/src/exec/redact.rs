//! Redaction of secrets in output: known values and text that looks like a token become `•••`.
//!
//! Values are found in the middle of a line, where a long line is cut, and across lines. Each line of a value with line
//! breaks is a secret of its own. If its lines are too short for that, only its last line is masked, so that the value
//! is never shown as a whole. This last rule fails if a reader continues from a saved position inside such a value.

use std::{fmt, ops::Range, sync::Arc};

use aho_corasick::AhoCorasick;
use regex::bytes::Regex;

/// The text that replaces a secret.
pub const MASK: &str = "•••";
/// Shorter values are not redacted: they occur in ordinary text.
const VALUE_MIN: usize = 4;
/// Longer values are searched for in parts, so that the buffered bytes are bounded.
const VALUE_MAX: usize = 16 * 1024;
/// Minimum number of bytes examined behind a cut: the longest token that a pattern finds across it.
const OVERLAP_MIN: usize = 8 * 1024;
/// Lines after which a private key without an end line is not taken for one any more.
const KEY_LINES_MAX: u16 = 256;

/// Patterns of tokens. In a pattern with a group, only the group is the secret.
const PATTERNS: &[&str] = &[
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    r"(?i:aws_secret_access_key|secretaccesskey)[\x22']?\s*[=:]\s*[\x22']?([A-Za-z0-9/+=]{40})",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}",
    r"\bgithub_pat_[A-Za-z0-9_]{20,}",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"\bglpat-[A-Za-z0-9_-]{16,}",
    r"\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+",
    r"\bhs[tjsrn]_[A-Za-z0-9_-]{16,}",
    r"(?i:bearer)\s+([A-Za-z0-9._~+/=-]{8,})",
    r"://[^\s/:@]*:([^\s/@]+)@",
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----",
];
const KEY_BEGIN: &str = r"-----BEGIN [A-Z ]*PRIVATE KEY-----";
const KEY_END: &str = r"-----END [A-Z ]*PRIVATE KEY-----";

/// A finder of secrets. Clones share the compiled patterns.
#[derive(Clone)]
pub struct Redactor(Arc<Patterns>);

struct Patterns {
    values: Option<AhoCorasick>,
    /// Values with line breaks, unsplit.
    blocks: Option<AhoCorasick>,
    block_bytes: usize,
    overlap: usize,
    tokens: Regex,
    key_begin: Regex,
    key_end: Regex,
}

/// State carried from one line of a stream to the next.
pub(super) struct Memory {
    /// How many of the next lines may belong to a private key.
    pub(super) key_lines: u16,
    /// The last bytes of the previous lines, as many as the longest value with line breaks has.
    recent: Vec<u8>,
}

impl Redactor {
    /// A redactor for these values and for tokens.
    #[must_use]
    pub fn new<S: AsRef<str>>(secrets: impl IntoIterator<Item = S>) -> Self {
        let (mut values, mut blocks) = (Vec::new(), Vec::new());
        for secret in secrets {
            let whole = secret.as_ref().replace("\r\n", "\n");
            let whole = whole.trim();
            for part in whole.lines().map(str::trim).filter(|part| part.len() >= VALUE_MIN) {
                values.extend(part.as_bytes().chunks(VALUE_MAX).map(<[u8]>::to_vec));
            }
            if whole.len() >= VALUE_MIN && whole.contains('\n') {
                blocks.push(whole.as_bytes().to_vec());
            }
        }
        // The last part of a long value may be too short.
        values.retain(|value| value.len() >= VALUE_MIN);
        let longest = |values: &[Vec<u8>]| values.iter().map(Vec::len).max().unwrap_or_default();
        Self(Arc::new(Patterns {
            overlap: longest(&values).max(OVERLAP_MIN),
            block_bytes: longest(&blocks),
            values: finder(&values),
            blocks: finder(&blocks),
            tokens: pattern(&PATTERNS.join("|")),
            key_begin: pattern(KEY_BEGIN),
            key_end: pattern(KEY_END),
        }))
    }

    /// Redacts a whole text.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let mut memory = Memory::new(0);
        let lines = text.split('\n').map(|line| {
            let mut shown = line.to_owned();
            for span in self.spans(line.as_bytes(), &mut memory).into_iter().rev() {
                shown = [shown.get(..span.start).unwrap_or_default(), MASK, shown.get(span.end..).unwrap_or_default()]
                    .concat();
            }
            memory.pass(line.as_bytes(), true, self);
            shown
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Number of bytes that must be available behind a cut.
    pub(super) fn overlap(&self) -> usize {
        self.0.overlap
    }

    /// The spans of the secrets in this line, sorted and disjoint.
    pub(super) fn spans(&self, line: &[u8], memory: &mut Memory) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        if let Some(values) = &self.0.values {
            spans.extend(values.find_overlapping_iter(line).map(|found| found.start()..found.end()));
        }
        if let Some(blocks) = &self.0.blocks {
            let known = memory.recent.len();
            let both = [&memory.recent, line].concat();
            let ending_here = blocks.find_overlapping_iter(&both).filter(|found| found.end() > known);
            spans.extend(ending_here.map(|found| found.start().saturating_sub(known)..found.end() - known));
        }
        if self.0.tokens.is_match(line) {
            spans.extend(self.0.tokens.captures_iter(line).filter_map(|captures| {
                captures.iter().skip(1).flatten().next().or_else(|| captures.get(0)).map(|found| found.range())
            }));
        }
        spans.extend(self.key(line, memory));
        merge(spans)
    }

    /// The span of this line that belongs to a private key over several lines.
    fn key(&self, line: &[u8], memory: &mut Memory) -> Option<Range<usize>> {
        if memory.key_lines > 0 {
            memory.key_lines -= 1;
            let Some(end) = self.0.key_end.find(line) else { return Some(0..line.len()) };
            memory.key_lines = 0;
            return Some(0..end.end());
        }
        let begin = self.0.key_begin.find_iter(line).last()?;
        if self.0.key_end.is_match_at(line, begin.end()) {
            return None;
        }
        memory.key_lines = KEY_LINES_MAX;
        Some(begin.start()..line.len())
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor(•••)")
    }
}

impl Memory {
    pub(super) fn new(key_lines: u16) -> Self {
        Self { key_lines, recent: Vec::new() }
    }

    /// Remembers the end of a processed line or part of a line.
    pub(super) fn pass(&mut self, line: &[u8], is_whole: bool, redactor: &Redactor) {
        let keep = redactor.0.block_bytes;
        if keep == 0 {
            return;
        }
        self.recent.extend_from_slice(line.get(line.len().saturating_sub(keep)..).unwrap_or_default());
        if is_whole {
            self.recent.push(b'\n');
        }
        let surplus = self.recent.len().saturating_sub(keep);
        self.recent.drain(..surplus);
    }
}

fn finder(values: &[Vec<u8>]) -> Option<AhoCorasick> {
    if values.is_empty() {
        return None;
    }
    // Fails only if the values exceed the address space.
    AhoCorasick::new(values).ok()
}

fn pattern(text: &str) -> Regex {
    Regex::new(&format!("(?-u){text}")).expect("our own patterns are valid: they are in a test")
}

/// Sorts the spans and merges those that overlap or touch.
fn merge(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.retain(|span| !span.is_empty());
    spans.sort_by_key(|span| span.start);
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;
    use proptest::prelude::*;

    use super::super::lines::{Assembler, LINE_BYTES_MAX};
    use super::*;

    #[test]
    fn tokens_and_values_are_masked_and_other_text_is_not() {
        let redactor = Redactor::new(["hunter2!"]);
        for (text, shown) in [
            ("pw is hunter2! ok", "pw is ••• ok"),
            ("id AKIAIOSFODNN7EXAMPLE.", "id •••."),
            ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = •••"),
            ("ghp_abcdefghijklmnopqrstuvwxyz0123456789 x", "••• x"),
            ("github_pat_11ABCDEFG0abcdefghijkl_mnop", "•••"),
            ("xoxb-123456789012-abcdef", "•••"),
            ("glpat-abcdefghij0123456789", "•••"),
            ("t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def_g;", "t=•••;"),
            ("hst_0123456789abcdef0123 hsj_0123456789abcdef0123", "••• •••"),
            ("Authorization: Bearer abcdef.12345678", "Authorization: Bearer •••"),
            ("postgres://app:s3cret@db/x and https://h/p", "postgres://app:•••@db/x and https://h/p"),
            ("a -----BEGIN PRIVATE KEY-----\\nMII\\n-----END PRIVATE KEY----- b", "a ••• b"),
            (
                "nothing to see: eyJ, ghp_, 10:30, a@b, http://host:80/",
                "nothing to see: eyJ, ghp_, 10:30, a@b, http://host:80/",
            ),
        ] {
            assert_eq!(redactor.text(text), shown);
        }
    }

    #[test]
    fn private_keys_are_masked_across_lines_up_to_a_limit() {
        let redactor = Redactor::new([""; 0]);
        let text = "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----\nb";
        assert_eq!(redactor.text(text), "a\n•••\n•••\n•••\n•••\nb");
        assert_eq!(redactor.text(&text.replace('\n', "\r\n")), "a\r\n•••\n•••\n•••\n•••\r\nb");
        let endless = format!("-----BEGIN PRIVATE KEY-----\n{}", "x\n".repeat(300));
        assert!(redactor.text(&endless).ends_with("x\n"));
    }

    #[test]
    fn values_with_line_breaks_are_masked() {
        let redactor = Redactor::new(["ab\ncd\nef", "first line\nsecond line"]);
        assert_eq!(redactor.text("xab\ncd\nefy"), "xab\ncd\n•••y");
        assert_eq!(redactor.text("first line\nsecond line"), "•••\n•••");
        assert_eq!(redactor.text("ef\ncd\nab"), "ef\ncd\nab");
    }

    /// The displayed text of these bytes when they arrive in these chunks, with the parts of a cut line joined.
    fn shown(bytes: &[u8], cuts: &[usize], redactor: &Redactor) -> String {
        let (mut assembler, mut text) = (Assembler::new(0), String::new());
        let mut give = |piece: super::super::lines::LinePart| {
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
            for secret in secrets.iter().filter(|secret| secret.len() >= VALUE_MIN) {
                prop_assert!(!shown.contains(secret.as_str()), "{secret:?} is in {shown:?}");
            }
        }
    }
}
