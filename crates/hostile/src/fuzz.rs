//! Parsers under random input, and the deterministic mutations of their corpora.
//!
//! A target must return for every input; an accepted input must survive being written and read again.

use domain::{
    crontab,
    filter::Filter,
    schedule::Schedule,
    string_enum,
    sync::{Budget, SyncPriority, frame::FromOrigin, tables::SCHEMA},
    template,
};
use proto::{
    link::{ToHub, ToRunner},
    sync::Packed,
    work::{LogLine, Stream, fold, unfold},
};
use serde_json::Value;

use crate::{
    attacks::Page,
    channel::RawFrame,
    frames::{FrameKind, Shape, frame, packed},
    names::Names,
    rows::{AT, RowKind, log_body, row},
    session::numbered,
};

string_enum! {
    /// The parsers that get random input. Certificates have a test of their own, because they need a network.
    pub enum Target {
        /// Frames of both directions as text.
        LinkFrame = "link_frame",
        /// Pages of rows as text.
        PageText = "page_text",
        /// Pages of rows, packed.
        PagePacked = "page_packed",
        /// Filters of job lists.
        Filter = "filter",
        /// Times of schedules, and crontabs.
        Cron = "cron",
        /// Payload templates: a line with the template, then the context.
        Template = "template",
        /// Compressed lines of output.
        LogPiece = "log_piece",
    }
}

/// The largest input of a mutation.
const INPUT_BYTES_MAX: usize = 64 * 1024;
/// The largest JSON form of a rendered payload; its limit counts texts without their escapes.
const RENDERED_BYTES_MAX: usize = 8 * domain::schema::PAYLOAD_BYTES_MAX;

/// Feeds a target.
///
/// # Panics
/// The target breaks its promise.
pub fn feed(target: Target, input: &[u8]) {
    match target {
        Target::LinkFrame => with_text(input, link_frame),
        Target::PageText => with_text(input, |text| page(&Packed::Text(text.to_owned()))),
        Target::PagePacked => page(&Packed::Binary(input.to_vec())),
        Target::Filter => with_text(input, |text| {
            if let Ok(filter) = Filter::parse(text, AT) {
                assert_eq!(Ok(filter), Filter::parse(text, AT), "a filter means the same every time");
            }
        }),
        Target::Cron => with_text(input, cron),
        Target::Template => with_text(input, rendered),
        Target::LogPiece => {
            if let Ok(lines) = unfold(input) {
                let (again, _) = fold(&lines).expect("lines can be compressed");
                // Its own form of the lines can be longer, and then longer than the limit.
                if let Ok(read) = unfold(&again) {
                    assert_eq!(read, lines);
                }
            }
        }
    }
}

fn with_text(input: &[u8], feed: impl FnOnce(&str)) {
    feed(&String::from_utf8_lossy(input));
}

fn link_frame(text: &str) {
    if let Ok(frame) = ToHub::parse(text)
        && !matches!(frame, ToHub::Sync(_))
    {
        let again = serde_json::to_string(&frame).expect("frames have JSON forms");
        let again = ToHub::parse(&again).expect("own frames can be parsed");
        assert_eq!(FrameKind::of(&again), FrameKind::of(&frame));
    }
    if let Ok(frame) = ToRunner::parse(text)
        && !matches!(frame, ToRunner::Sync(_))
    {
        let again = serde_json::to_string(&frame).expect("frames have JSON forms");
        assert!(ToRunner::parse(&again).is_ok(), "own frames can be parsed: {again}");
    }
}

fn page(packed: &Packed) {
    let _ = packed.is_patient();
    let Ok(FromOrigin::Response(page)) = packed.origin() else { return };
    for row in page.rows {
        let read = row.read(SCHEMA);
        if read.check().is_ok() {
            let again = serde_json::to_value(&read.body).expect("checked rows have JSON forms");
            assert!(again.is_object(), "{}", read.table);
        }
    }
}

fn cron(text: &str) {
    for zone in ["UTC", "Europe/Berlin"] {
        let Ok(schedule) = Schedule::parse(text, zone, "seed", AT) else { continue };
        if let Some(next) = schedule.next_after(AT) {
            assert!(next > AT, "`{text}` fires at {next}, not after {AT}");
        }
        let _ = schedule.describe();
    }
    let _ = crontab::read(text, crontab::CrontabKind::User);
}

fn rendered(text: &str) {
    let (template, context) = text.split_once('\n').unwrap_or((text, "{}"));
    let context: Value = serde_json::from_str(context).unwrap_or(Value::Null);
    let _ = template::render_text(template, &context);
    if let Ok(template) = serde_json::from_str::<Value>(template)
        && let Ok(value) = template::render(&template, &context)
    {
        assert!(value.to_string().len() <= RENDERED_BYTES_MAX, "templates are bounded");
    }
}

/// Inputs in the formats of the targets, in addition to the files of the corpus.
#[must_use]
pub fn seeds(target: Target) -> Vec<Vec<u8>> {
    let names = Names::all([7; 16]);
    let bytes = |frame| match frame {
        RawFrame::Text(text) => text.into_bytes(),
        RawFrame::Binary(bytes) => bytes,
    };
    match target {
        Target::LinkFrame => FrameKind::ALL.iter().map(|kind| bytes(frame(*kind, &names, &Shape::plain()))).collect(),
        Target::PageText | Target::PagePacked => {
            let is_packed = target == Target::PagePacked;
            [0, 40, 100].map(|depth| bytes(packed(&page_of_everything(&names, depth), is_packed))).to_vec()
        }
        Target::LogPiece => {
            let body = row(RowKind::Log, &names, &Shape::plain()).body;
            let packed = body["body"].as_str().and_then(|text| data_encoding::BASE64.decode(text.as_bytes()).ok());
            vec![packed.unwrap_or_default(), bomb()]
        }
        Target::Filter | Target::Cron | Target::Template => Vec::new(),
    }
}

fn page_of_everything(names: &Names, depth: usize) -> FromOrigin<Value> {
    let shape = Shape { depth, ..Shape::plain() };
    let rows = RowKind::ALL.iter().map(|kind| row(*kind, names, &shape)).collect();
    let page = Page::next(SyncPriority::Control, rows);
    let request = domain::sync::frame::Request {
        req: 1,
        priority: page.priority,
        since: None,
        witnesses: Vec::new(),
        resetting_over: None,
        budget: Budget { rows: 1, bytes: 1 },
    };
    FromOrigin::Response(numbered(&page, &request))
}

/// A small block of output whose lines take almost eight megabytes.
#[must_use]
pub fn bomb() -> Vec<u8> {
    let text = "x".repeat(60_000);
    let line = |no| LogLine { no, at: AT, stream: Stream::Stdout, text: text.clone(), is_cut: false };
    let lines: Vec<_> = (1..=130).map(line).collect();
    fold(&lines).expect("lines can be compressed").0
}

/// The same block as the content of a row that says it is one line of one byte.
#[must_use]
pub fn bomb_row(names: &Names, first_line: i64) -> Value {
    log_body(names, first_line, (1, 1), &bomb())
}

/// A deterministic source of mutations.
pub struct Mutator {
    state: u64,
}

/// Words of the formats: with them a mutation reaches further into a parser than with random bytes.
const WORDS: &[&str] = &[
    "{{",
    "}}",
    "{\"type\":\"",
    "results",
    "sync_response",
    "null",
    "[[[[[[[[",
    "\\u0000",
    "18446744073709551615",
    "-1",
    "1e999",
    "* ",
    "@every ",
    "*/0",
    "L",
    "W",
    "#5",
    "60 ",
    "status:",
    "after:-",
    "arg.",
    "\"",
    "(",
    " or ",
    "\u{202e}",
];

impl Mutator {
    /// The mutations of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed ^ 0x9e37_79b9_7f4a_7c15 }
    }

    /// The next random number (xorshift).
    pub const fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    /// A random index below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.random() % (end.max(1) as u64)).unwrap_or(0)
    }

    /// Changes one input in a few places; `other` is an input to take pieces from.
    #[must_use]
    pub fn mutate(&mut self, input: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = input.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            let end = (at + 1 + self.below(16)).min(bytes.len());
            match self.below(7) {
                0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                1 if at < bytes.len() => bytes[at] = [0, 0xff, 0x7f, 0x80, b'{', b'9'][self.below(6)],
                2 if at < end => drop(bytes.drain(at..end)),
                3 if at < end => {
                    let piece = bytes[at..end].repeat(1 + self.below(40));
                    bytes.splice(at..at, piece);
                }
                4 => drop(bytes.splice(at..at, WORDS[self.below(WORDS.len())].bytes())),
                5 if !other.is_empty() => {
                    let from = self.below(other.len());
                    let until = (from + 1 + self.below(200)).min(other.len());
                    bytes.splice(at..at, other[from..until].iter().copied());
                }
                _ => bytes.truncate(at),
            }
            bytes.truncate(INPUT_BYTES_MAX);
        }
        bytes
    }
}
