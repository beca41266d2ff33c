//! The filter language over jobs, one for UI, CLI and API: `status:failed host:web-* after:-24h -user:bot "disk full"`.
//!
//! This file owns what a filter is, how it is shown and what it matches; `filter/parse.rs` owns how it is read. A store
//! may narrow its search by the hints ([`Filter::statuses`] and the like); what it returns still has to match.

mod parse;

use std::fmt;

use serde_json::Value;

use crate::{Labels, Span, Timestamp, words};

/// The longest text of a filter.
pub const FILTER_BYTES_MAX: usize = 2 * 1024;
/// The most terms of a filter: each costs a test per row.
pub const TERMS_MAX: usize = 32;

/// The words of `status:`.
pub const STATUSES: &[&str] = &["queued", "running", "succeeded", "failed", "dead_letter", "canceled"];
/// The words of `source:`.
pub const SOURCES: &[&str] = &["manual", "event", "schedule", "system"];

/// Where free text is looked for, beside the payload. Words that many jobs share would only hide what was meant.
const SEARCHED: &[Key] = &[
    Key::Id,
    Key::Definition,
    Key::Host,
    Key::User,
    Key::Dedupe,
    Key::Correlation,
    Key::Reason,
    Key::Error,
    Key::Batch,
];

words! {
    /// What can be asked for. `label` and `arg` are followed by a dot and a name of the caller's.
    pub enum Key {
        /// The id of the job.
        Id = "id",
        /// Its status.
        Status = "status",
        /// Who or what made it.
        Source = "source",
        /// The name of its host.
        Host = "host",
        /// The key of its definition.
        Definition = "def",
        /// A label of its host.
        Label = "label",
        /// A value of its payload.
        Argument = "arg",
        /// Queued at this time or later.
        After = "after",
        /// Queued before this time.
        Before = "before",
        /// How long it ran.
        Duration = "duration",
        /// How often it was tried.
        Attempts = "attempts",
        /// Its priority.
        Priority = "priority",
        /// The exit code of its last run.
        Exit = "exit",
        /// The person or token that made it.
        User = "user",
        /// Its queue.
        Queue = "queue",
        /// Its dedupe key.
        Dedupe = "key",
        /// Its correlation id.
        Correlation = "correlation",
        /// Why it waits.
        Reason = "reason",
        /// Its last error.
        Error = "error",
        /// The batch it belongs to.
        Batch = "batch",
        /// The slug of its org.
        Org = "org",
    }
}

/// A filter: all its terms hold. The empty filter matches everything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    terms: Vec<Term>,
}

/// One condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Whether it must not hold.
    pub is_negated: bool,
    /// What is tested.
    pub test: Test,
}

/// What a term tests. Of several values, one is enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// This text is somewhere in the job; case does not count.
    Text(String),
    /// A field with a closed list of words is one of them.
    Word(Key, Vec<&'static str>),
    /// A field fits one of these patterns.
    Field(Key, Vec<Pattern>),
    /// A label of the host fits one of these patterns.
    Label(String, Vec<Pattern>),
    /// A value of the payload fits one of these patterns.
    Argument(Vec<String>, Vec<Pattern>),
    /// Queued at or after.
    After(Moment),
    /// Queued before.
    Before(Moment),
    /// How long it ran.
    Duration(Vec<Comparison<Span>>),
    /// A number compares.
    Number(Key, Vec<Comparison<i64>>),
}

/// A text to compare with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// Exactly this text; the empty one means that there is none.
    Exact(String),
    /// `*` stands for any characters, `?` for one.
    Glob(String),
}

/// A point in time as it was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The time.
    pub at: Timestamp,
    /// How long before now it was, if it was asked for in that way: a saved view stays relative.
    pub ago: Option<Span>,
}

/// A value with the way to compare to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison<T> {
    /// How.
    pub operator: Operator,
    /// To what.
    pub value: T,
}

words! {
    /// How to compare.
    pub enum Operator {
        /// The same; written without a sign.
        Equal = "",
        /// At least. Before `>`, because its text begins with that.
        AtLeast = ">=",
        /// At most.
        AtMost = "<=",
        /// More.
        More = ">",
        /// Less.
        Less = "<",
    }
}

/// Why a text is not a filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail} (at byte {at}){}", hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default())]
pub struct FilterError {
    /// The byte of the text where it goes wrong.
    pub at: usize,
    /// What is wrong.
    pub detail: String,
    /// What to write instead.
    pub hint: Option<String>,
}

/// What is known of a job, for [`Filter::matches`]. Secrets of the payload are concealed by whoever fills this in, so
/// that nobody can find them out by asking.
#[derive(Debug, Clone, Copy)]
pub struct JobFacts<'a> {
    /// Its id.
    pub id: &'a str,
    /// One of [`STATUSES`].
    pub status: &'a str,
    /// One of [`SOURCES`].
    pub source: &'a str,
    /// The name of its host, once it has one.
    pub host: Option<&'a str>,
    /// The key of its definition.
    pub definition: &'a str,
    /// The labels of its host.
    pub labels: &'a Labels,
    /// Its payload, concealed.
    pub payload: &'a Value,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// How long it has run, once it has started.
    pub duration: Option<Span>,
    /// How often it was tried.
    pub attempts: i64,
    /// Its priority.
    pub priority: i64,
    /// The exit code of its last run.
    pub exit_code: Option<i64>,
    /// Who made it.
    pub user: Option<&'a str>,
    /// Its queue.
    pub queue: &'a str,
    /// Its dedupe key.
    pub dedupe_key: Option<&'a str>,
    /// Its correlation id.
    pub correlation_id: Option<&'a str>,
    /// Why it waits.
    pub wait_reason: Option<&'a str>,
    /// Its last error.
    pub last_error: Option<&'a str>,
    /// The batch it belongs to.
    pub batch: Option<&'a str>,
    /// The slug of its org.
    pub org: &'a str,
}

impl Filter {
    /// Reads a filter. Relative times count from `now`.
    ///
    /// # Errors
    /// Says where it goes wrong, and what to write instead where that can be guessed.
    pub fn parse(text: &str, now: Timestamp) -> Result<Self, FilterError> {
        parse::filter(text, now).map(|terms| Self { terms })
    }

    /// Its terms, in the order in which they were written.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether a job matches.
    #[must_use]
    pub fn matches(&self, facts: &JobFacts<'_>) -> bool {
        self.terms.iter().all(|term| term.test.holds(facts) != term.is_negated)
    }

    /// What can stand before a colon, for completion.
    #[must_use]
    pub fn keys() -> Vec<&'static str> {
        Key::ALL
            .iter()
            .map(|key| match key {
                Key::Label => "label.",
                Key::Argument => "arg.",
                key => key.as_str(),
            })
            .collect()
    }

    /// The words that can stand behind a key, where they are a closed list.
    #[must_use]
    pub const fn words(key: Key) -> Option<&'static [&'static str]> {
        match key {
            Key::Status => Some(STATUSES),
            Key::Source => Some(SOURCES),
            _ => None,
        }
    }

    /// The statuses that a match can have; `None` = any. Empty if the terms contradict each other.
    #[must_use]
    pub fn statuses(&self) -> Option<Vec<String>> {
        let asked: Vec<&Vec<&str>> = self
            .positive()
            .filter_map(|test| match test {
                Test::Word(Key::Status, words) => Some(words),
                _ => None,
            })
            .collect();
        let in_all = |word: &&&str| asked.iter().all(|words| words.contains(*word));
        (!asked.is_empty()).then(|| STATUSES.iter().filter(in_all).map(|word| (*word).to_owned()).collect())
    }

    /// No match was queued before this.
    #[must_use]
    pub fn after(&self) -> Option<Timestamp> {
        self.terms
            .iter()
            .filter_map(|term| match (&term.test, term.is_negated) {
                (Test::After(moment), false) | (Test::Before(moment), true) => Some(moment.at),
                _ => None,
            })
            .max()
    }

    /// Every match was queued before this.
    #[must_use]
    pub fn before(&self) -> Option<Timestamp> {
        self.terms
            .iter()
            .filter_map(|term| match (&term.test, term.is_negated) {
                (Test::Before(moment), false) | (Test::After(moment), true) => Some(moment.at),
                _ => None,
            })
            .min()
    }

    /// The only host that a match can have.
    #[must_use]
    pub fn host_exact(&self) -> Option<&str> {
        self.exact(Key::Host)
    }

    /// The only definition that a match can have.
    #[must_use]
    pub fn def_exact(&self) -> Option<&str> {
        self.exact(Key::Definition)
    }

    fn positive(&self) -> impl Iterator<Item = &Test> {
        self.terms.iter().filter(|term| !term.is_negated).map(|term| &term.test)
    }

    fn exact(&self, wanted: Key) -> Option<&str> {
        self.positive().find_map(|test| match test {
            Test::Field(key, patterns) if *key == wanted => match patterns.as_slice() {
                [Pattern::Exact(text)] if !text.is_empty() => Some(text.as_str()),
                _ => None,
            },
            _ => None,
        })
    }
}

impl Test {
    fn holds(&self, facts: &JobFacts<'_>) -> bool {
        match self {
            Self::Text(text) => facts.holds_text(text),
            Self::Word(key, words) => facts.field(*key).is_some_and(|own| words.contains(&own)),
            Self::Field(key, patterns) => any_fits(patterns, facts.field(*key)),
            Self::Label(key, patterns) => any_fits(patterns, facts.labels.get(key)),
            Self::Argument(path, patterns) => {
                let found = path.iter().try_fold(facts.payload, |value, name| value.get(name.as_str()));
                match found {
                    // A list fits if one of its items does: people ask for `arg.hosts:web-1`.
                    Some(Value::Array(items)) => items.iter().any(|item| any_fits(patterns, text_of(item).as_deref())),
                    found => any_fits(patterns, found.and_then(text_of).as_deref()),
                }
            }
            Self::After(moment) => facts.queued_at >= moment.at,
            Self::Before(moment) => facts.queued_at < moment.at,
            Self::Duration(comparisons) => any_holds(comparisons, facts.duration),
            Self::Number(key, comparisons) => any_holds(comparisons, facts.number(*key)),
        }
    }

    const fn key(&self) -> Option<Key> {
        match self {
            Self::Text(_) => None,
            Self::Word(key, _) | Self::Field(key, _) | Self::Number(key, _) => Some(*key),
            Self::Label(..) => Some(Key::Label),
            Self::Argument(..) => Some(Key::Argument),
            Self::After(_) => Some(Key::After),
            Self::Before(_) => Some(Key::Before),
            Self::Duration(_) => Some(Key::Duration),
        }
    }
}

impl<'a> JobFacts<'a> {
    const fn field(&self, key: Key) -> Option<&'a str> {
        match key {
            Key::Id => Some(self.id),
            Key::Status => Some(self.status),
            Key::Source => Some(self.source),
            Key::Host => self.host,
            Key::Definition => Some(self.definition),
            Key::User => self.user,
            Key::Queue => Some(self.queue),
            Key::Dedupe => self.dedupe_key,
            Key::Correlation => self.correlation_id,
            Key::Reason => self.wait_reason,
            Key::Error => self.last_error,
            Key::Batch => self.batch,
            Key::Org => Some(self.org),
            Key::Label
            | Key::Argument
            | Key::After
            | Key::Before
            | Key::Duration
            | Key::Attempts
            | Key::Priority
            | Key::Exit => None,
        }
    }

    const fn number(&self, key: Key) -> Option<i64> {
        match key {
            Key::Attempts => Some(self.attempts),
            Key::Priority => Some(self.priority),
            Key::Exit => self.exit_code,
            _ => None,
        }
    }

    fn holds_text(&self, text: &str) -> bool {
        let wanted = text.to_lowercase();
        let holds = |own: &str| own.to_lowercase().contains(&wanted);
        SEARCHED.iter().filter_map(|key| self.field(*key)).any(holds) || any_value(self.payload, &holds)
    }
}

fn any_value(value: &Value, holds: &impl Fn(&str) -> bool) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| any_value(item, holds)),
        Value::Object(members) => members.values().any(|member| any_value(member, holds)),
        scalar => text_of(scalar).is_some_and(|text| holds(&text)),
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn any_fits(patterns: &[Pattern], own: Option<&str>) -> bool {
    patterns.iter().any(|pattern| match (pattern, own) {
        (Pattern::Exact(text), own) => own.unwrap_or_default() == text,
        (Pattern::Glob(glob), Some(own)) => fits(glob, own),
        (Pattern::Glob(_), None) => false,
    })
}

fn any_holds<T: Ord + Copy>(comparisons: &[Comparison<T>], own: Option<T>) -> bool {
    own.is_some_and(|own| {
        comparisons.iter().any(|Comparison { operator, value }| match operator {
            Operator::Equal => own == *value,
            Operator::AtLeast => own >= *value,
            Operator::AtMost => own <= *value,
            Operator::More => own > *value,
            Operator::Less => own < *value,
        })
    })
}

/// Whether a text fits a glob. Goes back to the last `*` only, so the time is at most the product of both lengths.
fn fits(glob: &str, text: &str) -> bool {
    let (glob, text): (Vec<char>, Vec<char>) = (glob.chars().collect(), text.chars().collect());
    let (mut g, mut t, mut star) = (0, 0, None);
    while t < text.len() {
        match glob.get(g) {
            Some('*') => {
                star = Some((g, t));
                g += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                g += 1;
                t += 1;
            }
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                g = at + 1;
                t = taken + 1;
            }
        }
    }
    glob[g..].iter().all(|c| *c == '*')
}

impl fmt::Display for Filter {
    /// The canonical text: reading it gives the same filter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, term) in self.terms.iter().enumerate() {
            write!(f, "{}{term}", if n == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_negated { "-" } else { "" })?;
        if let Some(key) = self.test.key() {
            write!(f, "{key}")?;
        }
        match &self.test {
            Test::Text(text) => f.write_str(&parse::quoted(text)),
            Test::Word(_, words) => write!(f, ":{}", words.join(",")),
            Test::Field(_, patterns) => write!(f, ":{}", list(patterns)),
            Test::Label(name, patterns) => write!(f, ".{name}={}", list(patterns)),
            Test::Argument(path, patterns) => write!(f, ".{}:{}", path.join("."), list(patterns)),
            Test::After(moment) | Test::Before(moment) => write!(f, ":{moment}"),
            Test::Duration(comparisons) => {
                let shown = comparisons.iter().map(|one| format!("{}{}", one.operator, span_text(one.value)));
                write!(f, ":{}", shown.collect::<Vec<_>>().join(","))
            }
            Test::Number(_, comparisons) => {
                let shown = comparisons.iter().map(|one| format!("{}{}", one.operator, one.value));
                write!(f, ":{}", shown.collect::<Vec<_>>().join(","))
            }
        }
    }
}

fn list(patterns: &[Pattern]) -> String {
    patterns.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(text) if parse::is_plain(text) => f.write_str(text),
            Self::Exact(text) => f.write_str(&parse::quoted(text)),
            Self::Glob(glob) => f.write_str(glob),
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ago {
            Some(ago) => write!(f, "-{}", span_text(ago)),
            None => {
                let text = self.at.to_string();
                f.write_str(text.strip_suffix("T00:00:00.000000Z").unwrap_or(&text))
            }
        }
    }
}

/// A span in the largest unit that shows it exactly. A day or two stay hours, as people write them.
fn span_text(span: Span) -> String {
    let ms = span.as_millis();
    for (unit, length, least) in
        [("d", 86_400_000, 3 * 86_400_000), ("h", 3_600_000, 0), ("m", 60_000, 0), ("s", 1_000, 0)]
    {
        if ms > 0 && ms % length == 0 && ms >= least {
            return format!("{}{unit}", ms / length);
        }
    }
    format!("{ms}ms")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_words_are_those_of_jobs() {
        let words: Vec<&str> = crate::job::JobStatus::ALL.iter().map(|word| word.as_str()).collect();
        assert_eq!(words, STATUSES);
        let words: Vec<&str> = crate::job::Source::ALL.iter().map(|word| word.as_str()).collect();
        assert_eq!(words, SOURCES);
    }

    /// 2026-01-15T12:00:00Z.
    const NOW: Timestamp = Timestamp::from_micros(1_768_478_400_000_000);

    fn parsed(text: &str) -> Filter {
        Filter::parse(text, NOW).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn with_facts(check: impl Fn(&JobFacts<'_>)) {
        let labels = Labels::try_from(BTreeMap::from([("env".to_owned(), "prod".to_owned())])).expect("labels");
        let payload = json!({"provider_id": 42, "opts": {"deep": true}, "hosts": ["web-1", "db-1"], "note": "Disk"});
        check(&JobFacts {
            id: "01K4ZB6Y7QHX3T8M5N2V9W0RJC",
            status: "dead_letter",
            source: "schedule",
            host: Some("web-12"),
            definition: "sync-all",
            labels: &labels,
            payload: &payload,
            queued_at: NOW - Span::from_secs(3_600),
            duration: Some(Span::from_secs(400)),
            attempts: 3,
            priority: 100,
            exit_code: Some(1),
            user: None,
            queue: "default",
            dedupe_key: Some("a,b c"),
            correlation_id: None,
            wait_reason: None,
            last_error: Some("No space left on device"),
            batch: None,
            org: "acme",
        });
    }

    #[test]
    fn jobs_match() {
        with_facts(|facts| {
            for (text, is_match) in [
                ("", true),
                ("status:dead_letter,failed source:schedule host:web-* def:sync-*", true),
                (
                    "label.env=prod arg.provider_id:42 after:-24h duration:>5m attempts:>1 -user:bot \"space left\"",
                    true,
                ),
                ("status:failed", false),
                ("-status:failed", true),
                ("-status:failed,dead_letter", false),
                ("source:manual,event", false),
                ("host:web-1", false),
                ("host:web-?", false),
                ("host:web-??", true),
                ("host:\"web-*\"", false),
                ("host:*", true),
                ("host:\"\"", false),
                ("user:\"\"", true),
                ("user:*", false),
                ("id:01k4zb6y7qhx3t8m5n2v9w0rjc", true),
                ("id:01k4*", true),
                ("label.env:dev,prod", true),
                ("label.zone=a", false),
                ("-label.zone=a", true),
                ("arg.opts.deep:true", true),
                ("arg.opts:true", false),
                ("arg.hosts:db-*", true),
                ("arg.hosts:db", false),
                ("arg.missing:\"\"", true),
                ("after:-30m", false),
                ("before:-30m", true),
                ("after:2026-01-15 before:2026-01-15T11:00:01Z", true),
                ("after:2026-01-15T11:00:00Z", true),
                ("before:2026-01-15T11:00:00Z", false),
                ("after:2026-01-15T12:00+01:00", true),
                ("duration:<=400s", true),
                ("duration:<400s", false),
                ("attempts:3 priority:>=100 exit:1,2", true),
                ("exit:0,>1", false),
                ("queue:default org:acme", true),
                ("key:\"a,b c\"", true),
                ("error:*space*", true),
                ("error:space", false),
                ("reason:held", false),
                ("-reason:held", true),
                ("batch:x", false),
                ("disk", true),
                ("DEVICE", true),
                ("-disk", false),
                ("acme", false),
            ] {
                assert_eq!(parsed(text).matches(facts), is_match, "{text}");
            }
        });
    }

    #[test]
    fn a_job_that_has_not_run_has_no_duration() {
        with_facts(|facts| {
            let facts = JobFacts { duration: None, exit_code: None, ..*facts };
            assert!(!parsed("duration:<1h").matches(&facts) && parsed("-duration:<1h").matches(&facts));
            assert!(!parsed("exit:0").matches(&facts));
        });
    }

    #[test]
    fn mistakes_are_explained() {
        for (text, at, told) in [
            ("stauts:failed", 0, "did you mean `status`"),
            ("host:a definition:x", 7, "did you mean `def`"),
            ("-label:x", 1, "label.env=prod"),
            ("arg.:x", 0, "arg.provider_id:42"),
            ("label.-x=1", 0, "not a label key"),
            ("zzzz:1", 0, "the keys are id, status"),
            ("http://x", 0, "put free text into quotes"),
            ("status:failed,borken", 14, "queued, running, succeeded, failed, dead_letter, canceled"),
            ("source:cron", 7, "manual, event, schedule, system"),
            ("host:", 5, "no value"),
            ("host:a,", 7, "no value"),
            ("host: a", 5, "no value"),
            ("host:\"a", 5, "not closed"),
            ("host:\"a\"b", 8, "as a whole or not at all"),
            ("ab\"c\"", 2, "inside a word"),
            ("\"\"", 0, "is empty"),
            ("-", 1, "nothing after `-`"),
            ("--x", 1, "nothing after `-`"),
            ("after:yesterday", 6, "after:-24h"),
            ("after:-24", 6, "after:-24h"),
            ("before:2026-13-01", 7, "is not a time"),
            ("after:-1h,-2h", 10, "takes one time"),
            ("duration:>5", 9, "duration:>5m"),
            ("attempts:many", 9, "attempts:>1"),
            ("attempts:>>1", 9, "cannot be compared"),
        ] {
            let error = Filter::parse(text, NOW).expect_err(text);
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.to_string().contains(told), "{text}: {error}");
        }
        assert!(Filter::parse(&"a ".repeat(33), NOW).is_err());
        assert!(Filter::parse(&"a".repeat(FILTER_BYTES_MAX + 1), NOW).is_err());
    }

    #[test]
    fn the_canonical_text_is_stable() {
        for (text, shown) in [
            ("  status:failed   host:web-* ", "status:failed host:web-*"),
            ("label.env:prod arg.a=1", "label.env=prod arg.a:1"),
            ("after:-24h before:-3600s", "after:-24h before:-1h"),
            ("after:-14d duration:>300s,<500ms", "after:-14d duration:>5m,<500ms"),
            ("after:2026-01-01T00:00:00Z", "after:2026-01-01"),
            ("before:2026-01-01T10:30", "before:2026-01-01T10:30:00.000000Z"),
            ("disk -full", "\"disk\" -\"full\""),
            ("host:\"a*\",\"b\"", "host:\"a*\",b"),
            ("attempts:>=+2", "attempts:>=2"),
        ] {
            assert_eq!(parsed(text).to_string(), shown);
            assert_eq!(parsed(shown), parsed(text));
        }
    }

    #[test]
    fn hints_narrow_the_search() {
        let filter =
            parsed("status:failed,queued status:queued,running host:web-1 def:a,b after:-2h after:-1h -after:-5m");
        assert_eq!(filter.statuses(), Some(vec!["queued".to_owned()]));
        assert_eq!(filter.after(), Some(NOW - Span::from_secs(3_600)));
        assert_eq!(filter.before(), Some(NOW - Span::from_secs(300)));
        assert_eq!(filter.host_exact(), Some("web-1"));
        assert_eq!(filter.def_exact(), None);
        let open = parsed("-status:failed -host:web-1 def:sync-*");
        assert_eq!((open.statuses(), open.host_exact(), open.def_exact()), (None, None, None));
        assert_eq!((open.after(), open.before()), (None, None));
    }

    #[test]
    fn globs_fit() {
        for (glob, text, is_fit) in [
            ("*", "", true),
            ("?", "", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("*a", "aaa", true),
            ("?ä?", "xäy", true),
            ("a**", "a", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(fits(glob, text), is_fit, "{glob} on {text}");
        }
        // Would take for ever if every star were tried again.
        assert!(!fits(&"a*".repeat(1_000), &"a".repeat(999)));
    }

    fn term_text() -> impl Strategy<Value = String> {
        let value = prop_oneof!["[a-z0-9*?:=<>.-]{1,8}", r#""([a-z ,*?-]|\\\\|\\"){0,8}""#];
        let values = proptest::collection::vec(value, 1..4).prop_map(|values| values.join(","));
        let key = proptest::sample::select(vec![
            "id",
            "host",
            "def",
            "user",
            "queue",
            "key",
            "correlation",
            "reason",
            "error",
            "batch",
            "org",
            "label.env",
            "label.a.b/c",
            "arg.a",
            "arg.a.b-c",
        ]);
        let word = proptest::sample::subsequence(STATUSES.to_vec(), 1..4)
            .prop_map(|words| format!("status:{}", words.join(",")));
        let number = (proptest::sample::select(vec!["attempts", "priority", "exit"]), "(|>|<|>=|<=)-?[0-9]{1,6}")
            .prop_map(|(key, number)| format!("{key}:{number}"));
        let test = prop_oneof![
            (key, values).prop_map(|(key, values)| format!("{key}:{values}")),
            word,
            number,
            "(after|before):-[0-9]{1,4}(ms|s|m|h|d)",
            "(after|before):20[0-9]{2}-(0[1-9]|1[0-2])-[01][1-9]",
            "(after|before):20[0-9]{2}-0[1-9]-[01][1-9]T[01][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?Z",
            "duration:(|>|<|>=|<=)[0-9]{1,5}(ms|s|m|h|d)",
            "[a-zäö]{1,6}",
            "\"[a-z :*-]{1,8}\"",
        ];
        ("-?", test).prop_map(|(sign, test)| format!("{sign}{test}"))
    }

    proptest! {
        #[test]
        fn the_shown_text_reads_as_the_same_filter(terms in proptest::collection::vec(term_text(), 0..6)) {
            let filter = Filter::parse(&terms.join(" "), NOW).expect("a filter");
            prop_assert_eq!(filter.terms().len(), terms.len());
            let shown = filter.to_string();
            prop_assert_eq!(Filter::parse(&shown, NOW).expect("the canonical text"), filter, "{}", shown);
        }

        #[test]
        fn any_text_is_read_or_refused_at_a_place_within_it(text in "\\PC{0,40}|[-a-z:=,.\"\\\\ *<>0-9]{0,30}") {
            match Filter::parse(&text, NOW) {
                Ok(filter) => prop_assert_eq!(Filter::parse(&filter.to_string(), NOW), Ok(filter)),
                Err(error) => prop_assert!(text.is_char_boundary(error.at), "{error}"),
            }
        }

        #[test]
        fn a_term_and_its_negation_never_agree(term in term_text()) {
            let term = term.trim_start_matches('-').to_owned();
            let (plain, negated) = (parsed(&term), parsed(&format!("-{term}")));
            with_facts(|facts| assert_ne!(plain.matches(facts), negated.matches(facts), "{term}"));
        }
    }
}
