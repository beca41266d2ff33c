//! The parser of the filter language. Every error has a position and, if possible, a correction.

use std::str::FromStr;

use super::{
    Comparison, FILTER_BYTES_MAX, Filter, FilterError, FilterKey, Moment, Operator, TERMS_MAX, Term, Test, TextPattern,
};
use crate::{Labels, Span, Timestamp};

/// Parses all terms.
pub(super) fn filter(text: &str, now: Timestamp) -> Result<Vec<Term>, FilterError> {
    if text.len() > FILTER_BYTES_MAX {
        return Err(error(FILTER_BYTES_MAX, format!("a filter has at most {FILTER_BYTES_MAX} bytes"), None));
    }
    let mut reader = Reader { text, at: 0, now };
    let mut terms = Vec::new();
    loop {
        reader.skip_blank();
        if reader.rest().is_empty() {
            return Ok(terms);
        }
        if terms.len() == TERMS_MAX {
            return Err(error(reader.at, format!("a filter has at most {TERMS_MAX} terms"), None));
        }
        terms.push(reader.term()?);
    }
}

/// Whether a value needs no quotes.
pub(super) fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || matches!(c, ',' | '"' | '*' | '?' | '\\'))
}

/// A text in quotes, escaped.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn error(at: usize, detail: impl Into<String>, hint: Option<String>) -> FilterError {
    FilterError { at, detail: detail.into(), hint }
}

/// One value of a term and its position.
struct Given {
    at: usize,
    text: String,
    is_quoted: bool,
}

impl Given {
    fn pattern(self) -> TextPattern {
        if !self.is_quoted && self.text.contains(['*', '?']) {
            TextPattern::Glob(self.text)
        } else {
            TextPattern::Exact(self.text)
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    now: Timestamp,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blank(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Consumes this character if it is next.
    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.rest().starts_with(wanted);
        if is_next {
            self.at += wanted.len_utf8();
        }
        is_next
    }

    fn take_until(&mut self, is_end: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn term(&mut self) -> Result<Term, FilterError> {
        let is_negated = self.take('-');
        let start = self.at;
        if self.rest().starts_with('"') {
            let text = self.quoted()?;
            return Ok(Term { is_negated, test: free_text(text, start)? });
        }
        let word = self.take_until(|c| c.is_whitespace() || matches!(c, ':' | '=' | '"'));
        if self.rest().is_empty() || self.rest().starts_with(char::is_whitespace) {
            if word.is_empty() || word.starts_with('-') {
                let hint = Some("put free text that begins with `-` into quotes".to_owned());
                return Err(error(start, "there is nothing after `-`", hint));
            }
            return Ok(Term { is_negated, test: free_text(word.to_owned(), start)? });
        }
        if self.rest().starts_with('"') {
            let hint = Some(format!("write {word}:\"…\", or a blank before the quote"));
            return Err(error(self.at, "a quote cannot stand inside a word", hint));
        }
        let (key, name) = key(word, start)?;
        self.at += 1; // the colon or equals sign, both of one byte
        let test = self.test(key, name, word)?;
        Ok(Term { is_negated, test })
    }

    fn test(&mut self, key: FilterKey, name: &str, word: &str) -> Result<Test, FilterError> {
        let given = self.values(word)?;
        Ok(match key {
            FilterKey::Status | FilterKey::Source => Test::Word(key, read(given, |one| closed(key, &one))?),
            FilterKey::After => Test::After(self.moment(key, given)?),
            FilterKey::Before => Test::Before(self.moment(key, given)?),
            FilterKey::Duration => Test::Duration(read(given, |one| {
                comparison(&one, "write a duration, as in duration:>5m or duration:<=90s")
            })?),
            FilterKey::Attempts | FilterKey::Priority | FilterKey::Exit => Test::Number(
                key,
                read(given, |one| comparison(&one, "write a number, as in attempts:>1 or exit:0,75"))?,
            ),
            FilterKey::Label => Test::Label(name.to_owned(), given.into_iter().map(Given::pattern).collect()),
            FilterKey::Argument => {
                let path = name.split('.').map(str::to_owned).collect();
                Test::Argument(path, given.into_iter().map(Given::pattern).collect())
            }
            // Ids are upper case; the user may type them in lower case.
            FilterKey::Id => {
                let upper = |one: Given| Given { text: one.text.to_ascii_uppercase(), ..one }.pattern();
                Test::Field(key, given.into_iter().map(upper).collect())
            }
            _ => Test::Field(key, given.into_iter().map(Given::pattern).collect()),
        })
    }

    /// Parses one or more values separated by commas.
    fn values(&mut self, word: &str) -> Result<Vec<Given>, FilterError> {
        let mut values = Vec::new();
        loop {
            let at = self.at;
            let is_quoted = self.rest().starts_with('"');
            let text = if is_quoted {
                self.quoted()?
            } else {
                self.take_until(|c| c.is_whitespace() || matches!(c, ',' | '"')).to_owned()
            };
            if text.is_empty() && !is_quoted {
                let hint = Some(format!("write {word}:value, or {word}:\"\" for jobs without one"));
                return Err(error(at, format!("`{word}` has no value here"), hint));
            }
            values.push(Given { at, text, is_quoted });
            if self.take(',') {
                continue;
            }
            if !self.rest().is_empty() && !self.rest().starts_with(char::is_whitespace) {
                let hint = Some("quote a value as a whole or not at all".to_owned());
                return Err(error(self.at, "unexpected character after a value", hint));
            }
            return Ok(values);
        }
    }

    fn quoted(&mut self) -> Result<String, FilterError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        let mut is_escaped = false;
        for (offset, c) in self.rest().char_indices() {
            match c {
                _ if is_escaped => {
                    text.push(c);
                    is_escaped = false;
                }
                '\\' => is_escaped = true,
                '"' => {
                    self.at += offset + 1;
                    return Ok(text);
                }
                c => text.push(c),
            }
        }
        Err(error(start, "the quote is not closed", Some("add a `\"` at its end".to_owned())))
    }

    fn moment(&self, key: FilterKey, given: Vec<Given>) -> Result<Moment, FilterError> {
        let [one]: [Given; 1] = given
            .try_into()
            .map_err(|given: Vec<Given>| error(given[1].at, format!("`{key}` takes one time"), None))?;
        let refuse = || {
            let hint = format!("write {key}:-24h, {key}:-7d, {key}:2026-01-31 or {key}:2026-01-31T08:00:00Z");
            error(one.at, format!("`{}` is not a time", clip(&one.text)), Some(hint))
        };
        if let Some(ago) = one.text.strip_prefix('-') {
            let ago: Span = ago.parse().map_err(|_| refuse())?;
            return Ok(Moment { at: self.now - ago, ago: Some(ago) });
        }
        absolute(&one.text).map(|at| Moment { at, ago: None }).ok_or_else(refuse)
    }
}

/// A date or a time; UTC if it has no offset.
fn absolute(text: &str) -> Option<Timestamp> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    let civil: jiff::civil::DateTime = text.parse().ok()?;
    let at = civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
    Some(Timestamp::from_micros(at.as_microsecond()))
}

fn free_text(text: String, at: usize) -> Result<Test, FilterError> {
    if text.is_empty() {
        return Err(error(at, "the free text is empty", Some("remove the quotes, or write a text in them".to_owned())));
    }
    Ok(Test::Text(text))
}

/// The key of a term, and the name after its dot.
fn key(word: &str, at: usize) -> Result<(FilterKey, &str), FilterError> {
    let (head, name) = word.split_once('.').map_or((word, None), |(head, name)| (head, Some(name)));
    match (head.parse::<FilterKey>(), name) {
        (Ok(FilterKey::Label), Some(name)) => {
            let labels = Labels::try_from(
                [(name.to_owned(), String::new())].into_iter().collect::<std::collections::BTreeMap<_, _>>(),
            );
            labels.map(|_| (FilterKey::Label, name)).map_err(|refused| error(at, refused.to_string(), None))
        }
        (Ok(FilterKey::Argument), Some(name)) if name.split('.').all(is_name) => Ok((FilterKey::Argument, name)),
        (Ok(key @ (FilterKey::Label | FilterKey::Argument)), _) => {
            let hint = if key == FilterKey::Label { "label.env=prod" } else { "arg.provider_id:42" };
            Err(error(at, format!("`{key}` needs a name"), Some(format!("write it as in {hint}"))))
        }
        (Ok(key), None) => Ok((key, "")),
        _ => {
            let hint = match nearest(word) {
                Some(known) => format!("did you mean `{known}`? Put free text into quotes"),
                None => format!("the keys are {}; put free text into quotes", Filter::keys().join(", ")),
            };
            Err(error(at, format!("there is no key `{}`", clip(word)), Some(hint)))
        }
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

fn read<T>(given: Vec<Given>, one: impl Fn(Given) -> Result<T, FilterError>) -> Result<Vec<T>, FilterError> {
    given.into_iter().map(one).collect()
}

fn closed(key: FilterKey, given: &Given) -> Result<&'static str, FilterError> {
    let known = Filter::words(key).unwrap_or_default();
    known.iter().find(|word| **word == given.text).copied().ok_or_else(|| {
        let hint = format!("write one of {}", known.join(", "));
        error(given.at, format!("`{}` is not a {key}", clip(&given.text)), Some(hint))
    })
}

fn comparison<T: FromStr>(given: &Given, hint: &str) -> Result<Comparison<T>, FilterError> {
    // The empty sign is a prefix of every text, so it is the default.
    let signs = Operator::ALL.iter().filter(|operator| **operator != Operator::Equal);
    let (operator, rest) = signs
        .filter_map(|operator| given.text.strip_prefix(operator.as_str()).map(|rest| (*operator, rest)))
        .next()
        .unwrap_or((Operator::Equal, given.text.as_str()));
    rest.parse()
        .map(|value| Comparison { operator, value })
        .map_err(|_| error(given.at, format!("`{}` cannot be compared", clip(&given.text)), Some(hint.to_owned())))
}

/// The key that was probably meant: the word is a prefix of it or differs in at most two letters.
fn nearest(word: &str) -> Option<&'static str> {
    let word = word.split('.').next().unwrap_or_default().to_lowercase();
    let near = |key: &&FilterKey| {
        let key = key.as_str();
        let is_beginning = word.len() >= 2 && (key.starts_with(&word) || key.len() >= 3 && word.starts_with(key));
        if is_beginning { 0 } else { distance(&word, key) }
    };
    let found = FilterKey::ALL.iter().min_by_key(near)?;
    // Two changes turn any short word into any other.
    (near(&found) <= 2.min(word.len() / 2)).then(|| found.as_str())
}

/// The edit distance: the number of letters to change, add or remove.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (n, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], n + 1);
        for (m, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[m + 1];
            row[m + 1] = changed.min(diagonal + 1).min(row[m] + 1);
        }
    }
    row[b.len()]
}

fn clip(text: &str) -> String {
    text.chars().take(60).collect()
}
