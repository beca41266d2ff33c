//! Redaction of secrets in output: known values and text that looks like a token become `•••`.
//!
//! Values are found in the middle of a line, where a long line is cut, and across lines; also escaped for JSON or URLs,
//! as hexadecimal and as base64. Each line of a value with line breaks is a secret of its own. If its lines are too short
//! for that, only its last line is masked, so that the value is never shown as a whole. This last rule fails if a reader
//! continues from a saved position inside such a value. An encoded value that is broken over several lines is not found.
//!
//! - `encoded`: values in text that encodes them

mod encoded;

use std::{
    fmt,
    ops::Range,
    sync::{Arc, LazyLock},
};

use aho_corasick::AhoCorasick;
use regex::bytes::Regex;
use serde_json::Value;

use encoded::{EXPANSION_MAX, EncodedFinder};

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

/// The patterns of tokens and private keys, compiled once.
static TOKENS: LazyLock<TokenPatterns> = LazyLock::new(|| TokenPatterns {
    tokens: pattern(&PATTERNS.join("|")),
    key_begin: pattern(KEY_BEGIN),
    key_end: pattern(KEY_END),
});

struct TokenPatterns {
    tokens: Regex,
    key_begin: Regex,
    key_end: Regex,
}

/// A finder of secrets. Clones share the compiled patterns.
#[derive(Clone)]
pub struct Redactor(Arc<ValuePatterns>);

struct ValuePatterns {
    values: Option<AhoCorasick>,
    /// Values with line breaks, unsplit.
    blocks: Option<AhoCorasick>,
    encoded: Option<EncodedFinder>,
    block_bytes: usize,
    overlap: usize,
}

/// Sorted and disjoint spans. Memory is bounded by the text, however many values overlap.
struct Spans(Vec<Range<usize>>);

/// State carried from one line of a stream to the next.
pub struct LineMemory {
    /// How many of the next lines may belong to a private key.
    pub key_lines: u16,
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
        // Encoded, also a value with line breaks is on one line. Its lines are found one by one; only if they are too
        // short for that it is found as a whole, and then it is not longer than a part.
        let short_blocks = blocks.iter().filter(|block| block.len() <= VALUE_MAX);
        let mut in_one_line: Vec<Vec<u8>> = values.iter().chain(short_blocks).cloned().collect();
        in_one_line.sort();
        in_one_line.dedup();
        Self(Arc::new(ValuePatterns {
            overlap: (longest(&in_one_line) * EXPANSION_MAX).max(OVERLAP_MIN),
            block_bytes: longest(&blocks),
            values: finder(&values),
            blocks: finder(&blocks),
            encoded: EncodedFinder::new(&in_one_line),
        }))
    }

    /// Masks the secrets in a JSON value, in the names of its members, too.
    #[must_use]
    pub fn json(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Number(number) => {
                let text = number.to_string();
                let shown = self.text(&text);
                if shown == text { Value::Number(number) } else { Value::String(shown) }
            }
            Value::Array(items) => items.into_iter().map(|item| self.json(item)).collect(),
            Value::Object(members) => {
                members.into_iter().map(|(name, value)| (self.text(&name), self.json(value))).collect()
            }
            other => other,
        }
    }

    /// Redacts a whole text.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let mut memory = LineMemory::new(0);
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
    #[must_use]
    pub fn overlap(&self) -> usize {
        self.0.overlap
    }

    /// The spans of the secrets in this line, sorted and disjoint.
    pub fn spans(&self, line: &[u8], memory: &mut LineMemory) -> Vec<Range<usize>> {
        let mut spans = Spans(Vec::new());
        if let Some(values) = &self.0.values {
            spans.add_all(values.find_overlapping_iter(line).map(|found| found.start()..found.end()));
        }
        if let Some(blocks) = &self.0.blocks {
            let known = memory.recent.len();
            let both = [&memory.recent, line].concat();
            let ending_here = blocks.find_overlapping_iter(&both).filter(|found| found.end() > known);
            spans.add_all(ending_here.map(|found| found.start().saturating_sub(known)..found.end() - known));
        }
        if let Some(encoded) = &self.0.encoded {
            encoded.find(line, &mut spans);
        }
        if TOKENS.tokens.is_match(line) {
            spans.add_all(TOKENS.tokens.captures_iter(line).filter_map(|captures| {
                captures.iter().skip(1).flatten().next().or_else(|| captures.get(0)).map(|found| found.range())
            }));
        }
        spans.add_all(self.key(line, memory).into_iter());
        spans.0
    }

    /// The span of this line that belongs to a private key over several lines.
    fn key(&self, line: &[u8], memory: &mut LineMemory) -> Option<Range<usize>> {
        if memory.key_lines > 0 {
            memory.key_lines -= 1;
            let Some(end) = TOKENS.key_end.find(line) else { return Some(0..line.len()) };
            memory.key_lines = 0;
            return Some(0..end.end());
        }
        let begin = TOKENS.key_begin.find_iter(line).last()?;
        if TOKENS.key_end.is_match_at(line, begin.end()) {
            return None;
        }
        memory.key_lines = KEY_LINES_MAX;
        Some(begin.start()..line.len())
    }
}

impl Default for Redactor {
    /// A redactor for tokens only.
    fn default() -> Self {
        Self::new([""; 0])
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor(•••)")
    }
}

impl LineMemory {
    /// The state at a position of a stream; zero at its start.
    #[must_use]
    pub fn new(key_lines: u16) -> Self {
        Self { key_lines, recent: Vec::new() }
    }

    /// Remembers the end of a processed line or part of a line.
    pub fn pass(&mut self, line: &[u8], is_whole: bool, redactor: &Redactor) {
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

impl Spans {
    /// Adds spans, in any order, and merges those that overlap or touch.
    fn add_all(&mut self, spans: impl Iterator<Item = Range<usize>>) {
        for span in spans.filter(|span| !span.is_empty()) {
            let first = self.0.partition_point(|known| known.end < span.start);
            let behind = first + self.0[first..].partition_point(|known| known.start <= span.end);
            let touched = &self.0[first..behind];
            let start = touched.first().map_or(span.start, |known| known.start.min(span.start));
            let end = touched.last().map_or(span.end, |known| known.end.max(span.end));
            self.0.splice(first..behind, std::iter::once(start..end));
        }
    }
}

#[cfg(test)]
mod tests {
    use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD, HEXLOWER, HEXUPPER};
    use proptest::prelude::*;
    use serde_json::json;

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

    /// Percent-encodes the bytes that `is_plain` rejects.
    fn url(text: &str, is_upper: bool, is_plain: impl Fn(u8) -> bool) -> String {
        let escape = |byte: u8| match (is_plain(byte), is_upper) {
            (true, _) => char::from(byte).to_string(),
            (false, true) => format!("%{byte:02X}"),
            (false, false) => format!("%{byte:02x}"),
        };
        text.bytes().map(escape).collect()
    }

    /// JSON with everything but ASCII letters and digits as `\u…`.
    fn json_ascii(text: &str) -> String {
        let escape = |unit: u16| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            _ => format!("\\u{unit:04x}"),
        };
        text.encode_utf16().map(escape).collect()
    }

    fn json_text(text: &str) -> String {
        let quoted = json!(text).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    }

    /// The forms of a text that a program may print.
    fn forms(text: &str) -> Vec<String> {
        let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let bytes = text.as_bytes();
        let mut all = vec![
            url(text, true, unreserved),
            url(text, false, unreserved),
            url(text, true, |byte| unreserved(byte) || b"/:@!$&'()*,;=".contains(&byte)),
            url(text, true, |byte| unreserved(byte) || byte == b' ').replace(' ', "+"),
            url(text, true, |_| false),
            json_text(text),
            json_text(text).replace('/', "\\/"),
            json_text(&json_text(text)),
            json_ascii(text),
            HEXLOWER.encode(bytes),
            HEXUPPER.encode(bytes),
        ];
        for encoding in [&BASE64, &BASE64_NOPAD, &BASE64URL, &BASE64URL_NOPAD] {
            all.push(encoding.encode(bytes));
        }
        all.push(json_text(&BASE64.encode(bytes)).replace('/', "\\/"));
        all.push(url(&BASE64.encode(bytes), true, unreserved));
        all
    }

    #[test]
    fn encoded_values_are_masked_and_the_text_around_them_is_not() {
        let redactor = Redactor::new(["pa\"ss/w\u{f6}rd & 1+1"]);
        for form in forms("pa\"ss/w\u{f6}rd & 1+1") {
            let shown = redactor.text(&format!("before {form} after"));
            let rest = shown.replace(MASK, "").replace('=', "").replace("%3D", "");
            assert_eq!(rest, "before  after", "{form}");
        }
        // At each alignment, in the middle of encoded text.
        for before in ["", "u", "us", "user", "user:"] {
            let text = format!("{before}pa\"ss/w\u{f6}rd & 1+1:rest");
            for encoding in [&BASE64, &BASE64URL_NOPAD, &HEXLOWER, &HEXUPPER] {
                let shown = redactor.text(&format!("Basic {} ok", encoding.encode(text.as_bytes())));
                assert!(shown.contains(MASK) && shown.starts_with("Basic ") && shown.ends_with(" ok"), "{shown}");
            }
        }
        let harmless = "dGhpcyBpcyBub3QgaXQ= 100%25 \\u0041 deadbeefcafe0123 C:\\new\\table a+b";
        assert_eq!(redactor.text(harmless), harmless);
    }

    #[test]
    fn encoded_value_with_line_breaks_is_masked() {
        for value in ["-----BEGIN X-----\nabcdef\n-----END X-----", "ab\ncd\nef"] {
            let redactor = Redactor::new([value]);
            for form in [json_text(value), url(value, true, |byte| byte.is_ascii_alphanumeric())] {
                let shown = redactor.text(&form);
                assert!(
                    !shown.contains("abcdef") && !shown.contains("ab\\ncd") && !shown.contains("cd%0Aef"),
                    "{shown}"
                );
            }
            let shown = redactor.text(&BASE64.encode(value.as_bytes()));
            assert!(shown.contains(MASK), "{shown}");
        }
    }

    #[test]
    fn names_numbers_and_texts_of_json_are_masked() {
        let redactor = Redactor::new(["hunter2", "4711"]);
        let shown = redactor.json(json!({"a": ["x hunter2"], "hunter2": 4711, "c": 12, "d": null, "e": true}));
        assert_eq!(shown, json!({"a": ["x •••"], "•••": "•••", "c": 12, "d": null, "e": true}));
    }

    #[test]
    fn overlapping_values_need_memory_only_for_their_union() {
        let values: Vec<String> = (4..200).map(|length| "a".repeat(length)).collect();
        let redactor = Redactor::new(&values);
        let spans = redactor.spans("a".repeat(4_000).as_bytes(), &mut LineMemory::new(0));
        assert_eq!(spans, [Range { start: 0, end: 4_000 }]);
    }

    #[test]
    fn spans_are_sorted_and_disjoint_in_any_order() {
        let mut spans = Spans(Vec::new());
        spans.add_all([5..7, 1..2, 9..12, 2..3, 20..21, 6..10, 0..0].into_iter());
        assert_eq!(spans.0, [1..3, 5..12, 20..21]);
        spans.add_all([0..30, 3..4].into_iter());
        assert_eq!(spans.0.len(), 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn encoded_text_never_contains_a_secret(
            secret in "[ -~äö€🦀]{4,20}",
            (before, after) in ("[a-z0-9]{0,7}", "[a-z0-9]{0,7}"),
            (head, tail) in ("[a-z =:\"]{0,5}", "[a-z =:\"]{0,5}"),
            which in 0_usize..17,
        ) {
            let secret = secret.trim().to_owned();
            prop_assume!(secret.len() >= VALUE_MIN);
            let redactor = Redactor::new([&secret]);
            let form = forms(&format!("{before}{secret}{after}")).swap_remove(which);
            let shown = redactor.text(&format!("{head}{form}{tail}"));
            prop_assert!(shown.contains(MASK), "{secret:?} as {form:?}: {shown:?}");
            // Every character that belongs to the secret alone is masked, so the remaining text is as short as the rest.
            let rest = forms(&format!("{before}{after}")).swap_remove(which).len() + head.len() + tail.len();
            prop_assert!(shown.replace(MASK, "").len() <= rest + 8, "{secret:?} as {form:?}: {shown:?}");
        }
    }
}
