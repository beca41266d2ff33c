//! The `--filter` language, applied to the fields of listed items. It has the same syntax as the filter in the web UI.
//!
//! `status:online,degraded name:web-* label.env=prod -always_on:true text`

use std::str::FromStr;

use domain::name::fits;
use serde_json::Value;

use super::cell::text;
use crate::fail::Failure;

/// A conjunction of terms. The empty filter matches every item.
#[derive(Debug, Default)]
pub(crate) struct Filter(Vec<Term>);

#[derive(Debug)]
struct Term {
    is_negated: bool,
    test: Test,
}

#[derive(Debug)]
enum Test {
    /// A field has one of these values; `*` matches any characters.
    Field(String, Vec<String>),
    /// Some field contains this text.
    Text(String),
}

impl FromStr for Filter {
    type Err = Failure;
    fn from_str(filter: &str) -> Result<Self, Failure> {
        filter.split_whitespace().map(term).collect::<Result<_, _>>().map(Self)
    }
}

fn term(word: &str) -> Result<Term, Failure> {
    let (is_negated, word) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
    let unquoted = word.trim_matches('"');
    let pair = if word.starts_with("label.") { word.split_once('=') } else { word.split_once(':') };
    let test = match pair {
        Some((key, "")) => {
            return Err(Failure::usage(format!("`{key}:` in --filter needs a value"))
                .hint("write status:online or label.env=prod"));
        }
        Some((key, values)) => {
            let key = key.strip_prefix("label.").map_or_else(|| key.to_owned(), |label| format!("labels.{label}"));
            Test::Field(key, values.split(',').map(str::to_owned).collect())
        }
        None => Test::Text(unquoted.to_lowercase()),
    };
    Ok(Term { is_negated, test })
}

impl Filter {
    /// Whether an item matches all terms.
    pub(crate) fn matches(&self, item: &Value) -> bool {
        self.0.iter().all(|term| {
            let matches = match &term.test {
                Test::Field(key, values) => values.iter().any(|value| fits(value, &text(item, key))),
                Test::Text(part) => item.to_string().to_lowercase().contains(part),
            };
            matches != term.is_negated
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_select_by_field_label_and_text() {
        let host =
            serde_json::json!({"name": "web-1", "status": "online", "always_on": true, "labels": {"env": "prod"}});
        for (filter, passes) in [
            ("", true),
            ("status:online", true),
            ("status:offline,online", true),
            ("-status:online", false),
            ("name:web-*", true),
            ("name:*-2", false),
            ("label.env=prod status:online", true),
            ("label.env=dev", false),
            ("always_on:true", true),
            ("PROD", true),
            ("-prod", false),
        ] {
            let parsed: Filter = filter.parse().expect("reads");
            assert_eq!(parsed.matches(&host), passes, "{filter}");
        }
        assert!("status:".parse::<Filter>().is_err());
    }
}
