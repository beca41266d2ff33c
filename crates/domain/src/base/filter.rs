//! The filter language for jobs, used by the web UI, the CLI and the API: `status:failed host:web-* after:-24h
//! -user:bot "disk full"`.
//!
//! This file owns the terms, their canonical text and the matching. A store may narrow its query by the hints
//! ([`Filter::statuses`], [`Filter::after`] and the like); the rows it returns must still be matched.
//!
//! - `parse`: the parser and its error messages

mod parse;

use std::fmt;

use serde_json::Value;

use crate::{Labels, Span, Timestamp, string_enum};

/// The longest filter text.
pub const FILTER_BYTES_MAX: usize = 2 * 1024;
/// The most terms of a filter: each costs a test per row.
pub const TERMS_MAX: usize = 32;

/// The values of `status:`.
pub const STATUSES: &[&str] = &["queued", "running", "succeeded", "failed", "dead_letter", "canceled"];
/// The values of `source:`.
pub const SOURCES: &[&str] = &["manual", "event", "schedule", "system"];

/// The fields that free text searches, in addition to the payload. Fields whose few values most jobs share, such as the
/// status, are left out: a search for `failed` would find every failed job.
const SEARCHED: &[FilterKey] = &[
    FilterKey::Id,
    FilterKey::Definition,
    FilterKey::Host,
    FilterKey::User,
    FilterKey::Dedupe,
    FilterKey::Correlation,
    FilterKey::Reason,
    FilterKey::Error,
    FilterKey::Batch,
];

string_enum! {
    /// The keys of terms. `label` and `arg` are followed by a dot and the name of a label or payload field.
    pub enum FilterKey {
        Id = "id",
        Status = "status",
        /// The source of the job.
        Source = "source",
        Host = "host",
        /// The key of the job's definition.
        Definition = "def",
        /// A label of the job's host.
        Label = "label",
        /// A value of the payload.
        Argument = "arg",
        /// Queued at this time or later.
        After = "after",
        /// Queued before this time.
        Before = "before",
        /// The run time.
        Duration = "duration",
        /// The number of attempts.
        Attempts = "attempts",
        Priority = "priority",
        /// The exit code of the last run.
        Exit = "exit",
        /// The user or token that created the job.
        User = "user",
        Queue = "queue",
        Dedupe = "key",
        /// The correlation id.
        Correlation = "correlation",
        /// Why the job waits.
        Reason = "reason",
        /// The last error.
        Error = "error",
        Batch = "batch",
        /// The slug of the org.
        Org = "org",
    }
}

/// A filter: a job matches if all terms do. The empty filter matches every job.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    terms: Vec<Term>,
}

/// One condition of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    pub is_negated: bool,
    pub test: Test,
}

/// The condition of a term. Of several values, one must match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// The job contains this text in any searched field; case is ignored.
    Text(String),
    /// A field with a fixed set of values has one of these.
    Word(FilterKey, Vec<&'static str>),
    /// A field matches one of these patterns.
    Field(FilterKey, Vec<TextPattern>),
    /// A label of the host matches one of these patterns.
    Label(String, Vec<TextPattern>),
    /// A value of the payload, by path, matches one of these patterns.
    Argument(Vec<String>, Vec<TextPattern>),
    /// Queued at or after this time.
    After(Moment),
    /// Queued before this time.
    Before(Moment),
    /// The run time satisfies one of these comparisons.
    Duration(Vec<Comparison<Span>>),
    /// A number satisfies one of these comparisons.
    Number(FilterKey, Vec<Comparison<i64>>),
}

/// A text to compare with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPattern {
    /// Exactly this text; the empty text matches a field without a value.
    Exact(String),
    /// `*` matches any characters, `?` matches one.
    Glob(String),
}

/// A point in time as written in the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub at: Timestamp,
    /// Set if the time was written relative to now; a saved view stays relative.
    pub ago: Option<Span>,
}

/// A value and the operator to compare it with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison<T> {
    pub operator: Operator,
    pub value: T,
}

string_enum! {
    /// A comparison operator.
    pub enum Operator {
        /// Written without a sign.
        Equal = "",
        /// Before `>`, which is a prefix of it.
        AtLeast = ">=",
        AtMost = "<=",
        More = ">",
        Less = "<",
    }
}

/// Why a filter text is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail} (at character {}){}", at + 1, hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default())]
pub struct FilterError {
    /// The position of the error in the text, in characters from 0.
    pub at: usize,
    pub detail: String,
    /// A correction, if one can be guessed.
    pub hint: Option<String>,
}

/// The fields of a job for [`Filter::matches`]. The caller redacts secrets in the payload; otherwise a user could find
/// out a secret by filtering for it.
#[derive(Debug, Clone, Copy)]
pub struct JobFacts<'a> {
    pub id: &'a str,
    /// One of [`STATUSES`].
    pub status: &'a str,
    /// One of [`SOURCES`].
    pub source: &'a str,
    /// `None` until a host is assigned.
    pub host: Option<&'a str>,
    /// The key of the definition.
    pub definition: &'a str,
    /// The labels of the host.
    pub labels: &'a Labels,
    /// With secrets redacted.
    pub payload: &'a Value,
    pub queued_at: Timestamp,
    /// `None` until the job has started.
    pub duration: Option<Span>,
    pub attempts: i64,
    pub priority: i64,
    /// Of the last run.
    pub exit_code: Option<i64>,
    /// The user or token that created the job.
    pub user: Option<&'a str>,
    pub queue: &'a str,
    pub dedupe_key: Option<&'a str>,
    pub correlation_id: Option<&'a str>,
    pub wait_reason: Option<&'a str>,
    pub last_error: Option<&'a str>,
    pub batch: Option<&'a str>,
    /// The slug of the org.
    pub org: &'a str,
}

impl Filter {
    /// Parses a filter. Relative times count from `now`.
    ///
    /// # Errors
    /// The position of the error and, if one can be guessed, a correction.
    pub fn parse(text: &str, now: Timestamp) -> Result<Self, FilterError> {
        let in_characters = |error: FilterError| {
            let at = text.char_indices().take_while(|(byte, _)| *byte < error.at).count();
            FilterError { at, ..error }
        };
        parse::filter(text, now).map(|terms| Self { terms }).map_err(in_characters)
    }

    /// The terms in the order in which they were written.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether a job matches.
    #[must_use]
    pub fn matches(&self, facts: &JobFacts<'_>) -> bool {
        self.terms.iter().all(|term| term.test.holds(facts) != term.is_negated)
    }

    /// The keys with their separator, for completion.
    #[must_use]
    pub fn keys() -> Vec<&'static str> {
        FilterKey::ALL
            .iter()
            .map(|key| match key {
                FilterKey::Label => "label.",
                FilterKey::Argument => "arg.",
                key => key.as_str(),
            })
            .collect()
    }

    /// The values of a key with a fixed set of values.
    #[must_use]
    pub const fn words(key: FilterKey) -> Option<&'static [&'static str]> {
        match key {
            FilterKey::Status => Some(STATUSES),
            FilterKey::Source => Some(SOURCES),
            _ => None,
        }
    }

    /// The statuses that a match can have; `None` means any. Empty if the terms contradict each other.
    #[must_use]
    pub fn statuses(&self) -> Option<Vec<String>> {
        let asked: Vec<&Vec<&str>> = self
            .positive()
            .filter_map(|test| match test {
                Test::Word(FilterKey::Status, words) => Some(words),
                _ => None,
            })
            .collect();
        let in_all = |word: &&&str| asked.iter().all(|words| words.contains(*word));
        (!asked.is_empty()).then(|| STATUSES.iter().filter(in_all).map(|word| (*word).to_owned()).collect())
    }

    /// The earliest time at which a match can have been queued.
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

    /// The time before which every match was queued.
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
        self.exact(FilterKey::Host)
    }

    /// The only definition that a match can have.
    #[must_use]
    pub fn def_exact(&self) -> Option<&str> {
        self.exact(FilterKey::Definition)
    }

    fn positive(&self) -> impl Iterator<Item = &Test> {
        self.terms.iter().filter(|term| !term.is_negated).map(|term| &term.test)
    }

    fn exact(&self, wanted: FilterKey) -> Option<&str> {
        self.positive().find_map(|test| match test {
            Test::Field(key, patterns) if *key == wanted => match patterns.as_slice() {
                [TextPattern::Exact(text)] if !text.is_empty() => Some(text.as_str()),
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
                    // A list matches if one of its items does, as in `arg.hosts:web-1`.
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

    const fn key(&self) -> Option<FilterKey> {
        match self {
            Self::Text(_) => None,
            Self::Word(key, _) | Self::Field(key, _) | Self::Number(key, _) => Some(*key),
            Self::Label(..) => Some(FilterKey::Label),
            Self::Argument(..) => Some(FilterKey::Argument),
            Self::After(_) => Some(FilterKey::After),
            Self::Before(_) => Some(FilterKey::Before),
            Self::Duration(_) => Some(FilterKey::Duration),
        }
    }
}

impl<'a> JobFacts<'a> {
    const fn field(&self, key: FilterKey) -> Option<&'a str> {
        match key {
            FilterKey::Id => Some(self.id),
            FilterKey::Status => Some(self.status),
            FilterKey::Source => Some(self.source),
            FilterKey::Host => self.host,
            FilterKey::Definition => Some(self.definition),
            FilterKey::User => self.user,
            FilterKey::Queue => Some(self.queue),
            FilterKey::Dedupe => self.dedupe_key,
            FilterKey::Correlation => self.correlation_id,
            FilterKey::Reason => self.wait_reason,
            FilterKey::Error => self.last_error,
            FilterKey::Batch => self.batch,
            FilterKey::Org => Some(self.org),
            FilterKey::Label
            | FilterKey::Argument
            | FilterKey::After
            | FilterKey::Before
            | FilterKey::Duration
            | FilterKey::Attempts
            | FilterKey::Priority
            | FilterKey::Exit => None,
        }
    }

    const fn number(&self, key: FilterKey) -> Option<i64> {
        match key {
            FilterKey::Attempts => Some(self.attempts),
            FilterKey::Priority => Some(self.priority),
            FilterKey::Exit => self.exit_code,
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

fn any_fits(patterns: &[TextPattern], own: Option<&str>) -> bool {
    patterns.iter().any(|pattern| match (pattern, own) {
        (TextPattern::Exact(text), own) => own.unwrap_or_default() == text,
        (TextPattern::Glob(glob), Some(own)) => fits(glob, own),
        (TextPattern::Glob(_), None) => false,
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

/// Whether a text matches a glob. Backtracks only to the last `*`, so the time is bounded by the product of both
/// lengths.
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
    /// The canonical text: parsing it gives the same filter.
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

fn list(patterns: &[TextPattern]) -> String {
    patterns.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

impl fmt::Display for TextPattern {
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

/// A span in the largest unit that shows it exactly. Up to two days are shown in hours, as in `-24h`.
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
    fn filter_values_equal_the_job_enums() {
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
    fn filters_match_job_fields() {
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
    fn parse_errors_have_position_and_hint() {
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
            ("härte stauts:failed", 6, "did you mean `status`"),
            ("\"größe\" host:", 13, "no value"),
        ] {
            let error = Filter::parse(text, NOW).expect_err(text);
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.to_string().contains(told), "{text}: {error}");
        }
        let error = Filter::parse("härte after:-24", NOW).expect_err("no unit");
        assert!(error.to_string().contains(" (at character 13)"), "{error}");
        assert!(Filter::parse(&"a ".repeat(33), NOW).is_err());
        assert!(Filter::parse(&"a".repeat(FILTER_BYTES_MAX + 1), NOW).is_err());
    }

    #[test]
    fn canonical_text_is_stable() {
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
    fn hints_follow_from_positive_and_negated_terms() {
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
    fn globs_match() {
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
        // Takes exponential time if every star is tried again.
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
        fn canonical_text_parses_to_the_same_filter(terms in proptest::collection::vec(term_text(), 0..6)) {
            let filter = Filter::parse(&terms.join(" "), NOW).expect("a filter");
            prop_assert_eq!(filter.terms().len(), terms.len());
            let shown = filter.to_string();
            prop_assert_eq!(Filter::parse(&shown, NOW).expect("the canonical text"), filter, "{}", shown);
        }

        #[test]
        fn any_text_parses_or_fails_within_the_text(text in "\\PC{0,40}|[-a-z:=,.\"\\\\ *<>0-9]{0,30}") {
            match Filter::parse(&text, NOW) {
                Ok(filter) => prop_assert_eq!(Filter::parse(&filter.to_string(), NOW), Ok(filter)),
                Err(error) => prop_assert!(error.at <= text.chars().count(), "{error}"),
            }
        }

        #[test]
        fn a_term_and_its_negation_are_opposite(term in term_text()) {
            let term = term.trim_start_matches('-').to_owned();
            let (plain, negated) = (parsed(&term), parsed(&format!("-{term}")));
            with_facts(|facts| assert_ne!(plain.matches(facts), negated.matches(facts), "{term}"));
        }
    }
}
