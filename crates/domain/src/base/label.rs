//! Labels of hosts, and selectors over them in the syntax of Kubernetes.

use std::{collections::BTreeMap, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Labels of a host, sorted: equal sets have equal texts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>")]
pub struct Labels(BTreeMap<String, String>);

/// The most labels one host can have.
pub const LABELS_MAX: usize = 64;
/// The longest label key or value.
pub const LABEL_LENGTH_MAX: usize = 63;

/// Why labels or a selector are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LabelRefused {
    /// A key that a selector could not contain.
    #[error(
        "`{0}` is not a label key (letters, digits, `-`, `_`, `.`, `/`; starts and ends with a letter or digit; at most {LABEL_LENGTH_MAX})"
    )]
    Key(String),
    /// A value that a selector could not contain.
    #[error(
        "`{0}` is not a label value (letters, digits, `-`, `_`, `.`; starts and ends with a letter or digit; at most {LABEL_LENGTH_MAX})"
    )]
    Value(String),
    #[error("a host has at most {LABELS_MAX} labels")]
    TooMany,
    /// A requirement that cannot be parsed.
    #[error("cannot read `{0}` in the selector (write env=prod, env!=dev, env in (a,b), env notin (a,b), gpu, !gpu)")]
    Selector(String),
}

fn is_word(text: &str, also: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c) || also.contains(c);
    !text.is_empty()
        && text.len() <= LABEL_LENGTH_MAX
        && text.chars().all(inside)
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.ends_with(|c: char| c.is_ascii_alphanumeric())
}

fn key(text: &str) -> Result<String, LabelRefused> {
    let text = text.trim();
    if is_word(text, "/") { Ok(text.to_owned()) } else { Err(LabelRefused::Key(clip(text))) }
}

fn value(text: &str) -> Result<String, LabelRefused> {
    let text = text.trim();
    if text.is_empty() || is_word(text, "") { Ok(text.to_owned()) } else { Err(LabelRefused::Value(clip(text))) }
}

fn clip(text: &str) -> String {
    text.chars().take(80).collect()
}

impl Labels {
    /// The value of a label.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// All labels in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v.as_str()))
    }

    /// These labels after a change: `None` removes a label.
    ///
    /// # Errors
    /// A key or value is invalid, or there are too many labels.
    pub fn changed(&self, changes: &BTreeMap<String, Option<String>>) -> Result<Self, LabelRefused> {
        let mut map = self.0.clone();
        for (k, v) in changes {
            match v {
                Some(v) => drop(map.insert(k.clone(), v.clone())),
                None => drop(map.remove(k)),
            }
        }
        Self::try_from(map)
    }
}

impl TryFrom<BTreeMap<String, String>> for Labels {
    type Error = LabelRefused;
    fn try_from(map: BTreeMap<String, String>) -> Result<Self, LabelRefused> {
        if map.len() > LABELS_MAX {
            return Err(LabelRefused::TooMany);
        }
        map.into_iter().map(|(k, v)| Ok((key(&k)?, value(&v)?))).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> = self.0.iter().map(|(k, v)| format!("{k}={v}")).collect();
        f.pad(&pairs.join(","))
    }
}

/// A conjunction of requirements on labels. The empty selector matches everything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selector(Vec<Requirement>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Requirement {
    Has(String),
    HasNot(String),
    In(String, Vec<String>),
    // As in Kubernetes, a host without the key matches: `env!=prod` includes hosts without `env`.
    NotIn(String, Vec<String>),
}

impl Selector {
    /// Whether these labels satisfy every requirement.
    #[must_use]
    pub fn matches(&self, labels: &Labels) -> bool {
        self.0.iter().all(|requirement| match requirement {
            Requirement::Has(key) => labels.get(key).is_some(),
            Requirement::HasNot(key) => labels.get(key).is_none(),
            Requirement::In(key, values) => labels.get(key).is_some_and(|v| values.iter().any(|w| w == v)),
            Requirement::NotIn(key, values) => labels.get(key).is_none_or(|v| values.iter().all(|w| w != v)),
        })
    }
}

/// The canonical text: equal selectors have equal texts.
impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self
            .0
            .iter()
            .map(|requirement| match requirement {
                Requirement::Has(key) => key.clone(),
                Requirement::HasNot(key) => format!("!{key}"),
                Requirement::In(key, values) if values.len() == 1 => format!("{key}={}", values[0]),
                Requirement::In(key, values) => format!("{key} in ({})", values.join(",")),
                Requirement::NotIn(key, values) if values.len() == 1 => format!("{key}!={}", values[0]),
                Requirement::NotIn(key, values) => format!("{key} notin ({})", values.join(",")),
            })
            .collect();
        f.pad(&parts.join(","))
    }
}

impl FromStr for Selector {
    type Err = LabelRefused;
    fn from_str(text: &str) -> Result<Self, LabelRefused> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        split_outside_parentheses(text).into_iter().map(requirement).collect::<Result<_, _>>().map(Self)
    }
}

fn split_outside_parentheses(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn requirement(text: &str) -> Result<Requirement, LabelRefused> {
    let text = text.trim();
    let refuse = || LabelRefused::Selector(clip(text));
    let list = |inner: &str| -> Result<Vec<String>, LabelRefused> {
        let inner = inner.trim().strip_prefix('(').and_then(|s| s.strip_suffix(')')).ok_or_else(refuse)?;
        inner.split(',').map(value).collect()
    };
    // Longest operators first: otherwise `!=` is parsed as `=` with a key ending in `!`.
    if let Some((k, v)) = text.split_once("!=") {
        return Ok(Requirement::NotIn(key(k)?, vec![value(v)?]));
    }
    if let Some((k, v)) = text.split_once("==").or_else(|| text.split_once('=')) {
        return Ok(Requirement::In(key(k)?, vec![value(v)?]));
    }
    if let Some((k, rest)) = text.split_once(" notin ") {
        return Ok(Requirement::NotIn(key(k)?, list(rest)?));
    }
    if let Some((k, rest)) = text.split_once(" in ") {
        return Ok(Requirement::In(key(k)?, list(rest)?));
    }
    match text.strip_prefix('!') {
        Some(k) => Ok(Requirement::HasNot(key(k)?)),
        None => key(text).map(Requirement::Has).map_err(|_| refuse()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Labels {
        let pairs = text.split(',').filter(|p| !p.is_empty()).map(|p| p.split_once('=').expect("k=v"));
        Labels::try_from(pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect::<BTreeMap<_, _>>()).expect("valid")
    }

    #[test]
    fn selectors_match_labels() {
        for (selector, host, matches) in [
            ("", "", true),
            ("env=prod", "env=prod,zone=a", true),
            ("env==prod", "env=dev", false),
            ("env!=prod", "env=dev", true),
            ("env!=prod", "", true),
            ("env in (dev, prod)", "env=prod", true),
            ("env in (dev,prod), gpu", "env=prod", false),
            ("env in (dev,prod), gpu", "env=prod,gpu=", true),
            ("env notin (dev)", "env=dev", false),
            ("!gpu", "gpu=a100", false),
            ("!gpu", "env=x", true),
        ] {
            let parsed: Selector = selector.parse().expect(selector);
            assert_eq!(parsed.matches(&labels(host)), matches, "{selector} on {host}");
            assert_eq!(parsed.to_string().parse::<Selector>(), Ok(parsed), "{selector} round-trips");
        }
    }

    #[test]
    fn invalid_selectors_are_rejected() {
        for wrong in ["env=a b", "=prod", "env in prod", "env in (a", ",", "a b", "-x", "ключ=1"] {
            assert!(wrong.parse::<Selector>().is_err(), "{wrong} was accepted");
        }
    }

    #[test]
    fn changed_labels_stay_sorted() {
        let changes = BTreeMap::from([("b".to_owned(), Some("2".to_owned())), ("a".to_owned(), None)]);
        assert_eq!(labels("a=1,c=3").changed(&changes).expect("valid").to_string(), "b=2,c=3");
    }
}
