//! Secrets do not leave the machine in output: known values and what looks like a token become `•••`.
//!
//! Values are found wherever they are: in the middle of a line, where a long line is cut, and over several lines. Of a
//! value with line breaks each line is a secret of its own; where its lines are too short for that, its last one is
//! hidden, so that the value is never shown as a whole. Only this last is not known any more when a follower goes on from
//! a saved position inside such a value.

use std::{fmt, ops::Range, sync::Arc};

use aho_corasick::AhoCorasick;
use regex::bytes::Regex;

/// What stands for a secret.
pub const MASK: &str = "•••";
/// Shorter values are words of the language, not secrets.
const VALUE_MIN: usize = 4;
/// Longer values are looked for in parts, so that what must be held is bounded.
const VALUE_MAX: usize = 16 * 1024;
/// So many bytes behind a cut are looked at: the longest token that a pattern finds there.
const OVERLAP_MIN: usize = 8 * 1024;
/// A private key that has no end after so many lines is none.
const KEY_LINES_MAX: u16 = 256;

/// What tokens look like. Where there is a group, only the group is the secret.
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

/// Finds secrets. Clones share what was prepared.
#[derive(Clone)]
pub struct Redactor(Arc<Patterns>);

struct Patterns {
    values: Option<AhoCorasick>,
    /// Values with line breaks, as a whole.
    blocks: Option<AhoCorasick>,
    block_bytes: usize,
    overlap: usize,
    tokens: Regex,
    key_begin: Regex,
    key_end: Regex,
}

/// What a stream's last lines mean for its next one.
pub(super) struct Memory {
    /// How many more lines may belong to a private key.
    pub(super) key_lines: u16,
    /// The end of what came before, as long as the longest value with line breaks.
    recent: Vec<u8>,
}

impl Redactor {
    /// Finds these values, and what looks like a token.
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
        // The rest of a long value that was cut in parts may be short.
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

    /// A text without its secrets: for what is not a stream of lines.
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

    /// How many bytes behind a cut must be known.
    pub(super) fn overlap(&self) -> usize {
        self.0.overlap
    }

    /// Where in this line the secrets are: sorted, and apart from each other.
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

    /// The part of this line that belongs to a private key of several lines.
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

    /// Keeps the end of a line that is done, or of a piece of one.
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
    // Fails only for more bytes than a machine has.
    AhoCorasick::new(values).ok()
}

fn pattern(text: &str) -> Regex {
    Regex::new(&format!("(?-u){text}")).expect("our own patterns are valid: they are in a test")
}

/// Sorted, and what overlaps or touches as one.
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
    fn tokens_are_found_and_the_rest_is_not() {
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
    fn private_keys_are_hidden_over_lines_and_end() {
        let redactor = Redactor::new([""; 0]);
        let text = "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----\nb";
        assert_eq!(redactor.text(text), "a\n•••\n•••\n•••\n•••\nb");
        assert_eq!(redactor.text(&text.replace('\n', "\r\n")), "a\r\n•••\n•••\n•••\n•••\r\nb");
        let endless = format!("-----BEGIN PRIVATE KEY-----\n{}", "x\n".repeat(300));
        assert!(redactor.text(&endless).ends_with("x\n"));
    }

    #[test]
    fn values_of_several_lines_are_hidden() {
        let redactor = Redactor::new(["ab\ncd\nef", "first line\nsecond line"]);
        assert_eq!(redactor.text("xab\ncd\nefy"), "xab\ncd\n•••y");
        assert_eq!(redactor.text("first line\nsecond line"), "•••\n•••");
        assert_eq!(redactor.text("ef\ncd\nab"), "ef\ncd\nab");
    }

    /// What people see of these bytes when they arrive in these chunks. Pieces of one line are put together again.
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
    fn a_secret_is_not_cut_in_two() {
        let secret = "correct-horse-battery-staple";
        let redactor = Redactor::new([secret]);
        for before in LINE_BYTES_MAX - 30..LINE_BYTES_MAX + 2 {
            let text = format!("{}{secret}{}", "ä".repeat(before / 2) + &"-".repeat(before % 2), "y".repeat(20_000));
            // Byte by byte around the cut, so that each of them is once the last that is known.
            let cuts: Vec<_> = [LINE_BYTES_MAX - 64].into_iter().chain([1; 128]).collect();
            let shown = shown(text.as_bytes(), &cuts, &redactor);
            assert!(!shown.contains("horse") && !shown.contains("battery") && !shown.contains('\u{fffd}'));
            assert_eq!(shown.trim_end(), text.replace(secret, MASK));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn no_secret_is_ever_shown(
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
