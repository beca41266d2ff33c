//! Conditions on the fields of an event. A condition is a value it must equal, or an object with one or more tests.

use serde_json::{Map, Value};

use crate::template::lookup;

/// Conditions in one trigger.
const CONDITIONS_MAX: usize = 50;
/// The longest name of an event.
const NAME_CHARS_MAX: usize = 100;

/// Tests that a condition may name.
const TESTS: [&str; 9] = ["eq", "not", "in", "exists", "prefix", "gt", "gte", "lt", "lte"];

/// Conditions that cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMatch {
    /// The name of an event is not one.
    #[error("`{0}` is not the name of an event: use lower-case words with dots between them, such as folder.changed")]
    Name(String),
    /// Too many.
    #[error("a trigger has at most {CONDITIONS_MAX} conditions")]
    TooMany,
    /// A test that is none of ours.
    #[error("`{path}`: there is no test `{test}`; use one of {}", TESTS.join(", "))]
    Test {
        /// Which field it is about.
        path: String,
        /// What it is called.
        test: String,
    },
    /// A test with a value it cannot use.
    #[error("`{path}`: `{test}` needs {needs}")]
    Value {
        /// Which field it is about.
        path: String,
        /// Which test.
        test: String,
        /// What it needs.
        needs: &'static str,
    },
}

/// Whether a text can be the name of an event.
///
/// # Errors
/// It cannot.
pub fn check_name(name: &str) -> Result<(), BadMatch> {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-'))
    };
    if name.len() <= NAME_CHARS_MAX && name.split('.').all(is_word) {
        return Ok(());
    }
    Err(BadMatch::Name(name.chars().take(60).collect()))
}

/// Whether conditions can be asked.
///
/// # Errors
/// What is wrong first.
pub fn check(conditions: &Map<String, Value>) -> Result<(), BadMatch> {
    if conditions.len() > CONDITIONS_MAX {
        return Err(BadMatch::TooMany);
    }
    for (path, condition) in conditions {
        let Value::Object(tests) = condition else { continue };
        for (test, value) in tests {
            let wrong = |needs| BadMatch::Value { path: path.clone(), test: test.clone(), needs };
            match test.as_str() {
                "eq" | "not" => {}
                "in" if !value.is_array() => return Err(wrong("a list")),
                "exists" if !value.is_boolean() => return Err(wrong("true or false")),
                "prefix" if !value.is_string() => return Err(wrong("a text")),
                "gt" | "gte" | "lt" | "lte" if !value.is_number() => return Err(wrong("a number")),
                "in" | "exists" | "prefix" | "gt" | "gte" | "lt" | "lte" => {}
                _ => return Err(BadMatch::Test { path: path.clone(), test: test.clone() }),
            }
        }
    }
    Ok(())
}

/// Whether an event's data meets all conditions. A path that is not there meets only `exists: false` and `not`.
#[must_use]
pub fn meets(conditions: &Map<String, Value>, data: &Value) -> bool {
    conditions.iter().all(|(path, condition)| {
        let found = lookup(data, path);
        match condition {
            Value::Object(tests) => tests.iter().all(|(test, value)| holds(test, value, found)),
            plain => found == Some(plain),
        }
    })
}

fn holds(test: &str, value: &Value, found: Option<&Value>) -> bool {
    let number = || Some((found?.as_f64()?, value.as_f64()?));
    match test {
        "eq" => found == Some(value),
        "not" => found != Some(value),
        "in" => found.is_some_and(|found| value.as_array().is_some_and(|all| all.contains(found))),
        "exists" => Some(found.is_some()) == value.as_bool(),
        "prefix" => {
            found.and_then(Value::as_str).zip(value.as_str()).is_some_and(|(text, prefix)| text.starts_with(prefix))
        }
        "gt" => number().is_some_and(|(found, than)| found > than),
        "gte" => number().is_some_and(|(found, than)| found >= than),
        "lt" => number().is_some_and(|(found, than)| found < than),
        "lte" => number().is_some_and(|(found, than)| found <= than),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().expect("is an object")
    }

    #[test]
    fn conditions_are_met_together() {
        let data = json!({"folder": {"path": "/srv/photos", "size": 12}, "kind": "added", "gone": null});
        for (conditions, is_met) in [
            (json!({}), true),
            (json!({"kind": "added"}), true),
            (json!({"kind": "added", "folder.size": 11}), false),
            (json!({"folder.path": {"prefix": "/srv"}, "folder.size": {"gt": 3, "lte": 12}}), true),
            (json!({"folder.size": {"lt": 12}}), false),
            (json!({"kind": {"in": ["added", "moved"]}}), true),
            (json!({"kind": {"not": "added"}}), false),
            (json!({"missing": {"exists": false}, "gone": {"exists": true}}), true),
            (json!({"missing": {"not": 3}}), true),
            (json!({"missing": null}), false),
            (json!({"kind": {"gt": 3}}), false),
        ] {
            assert_eq!(meets(&fields(&conditions), &data), is_met, "{conditions}");
        }
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        for (conditions, said) in [
            (json!({"a": {"regex": "x"}}), "there is no test `regex`"),
            (json!({"a": {"in": "x"}}), "`in` needs a list"),
            (json!({"a": {"gt": "3"}}), "`gt` needs a number"),
        ] {
            let error = check(&fields(&conditions)).expect_err("is wrong").to_string();
            assert!(error.contains(said), "{error}");
        }
        for wrong in ["", ".", "a..b", "Folder", "a b", &"a".repeat(101)] {
            assert!(check_name(wrong).is_err(), "{wrong}");
        }
        assert_eq!(check_name("provider.folder_2.up-dated"), Ok(()));
    }
}
