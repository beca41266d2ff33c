//! Conditions on the fields of an event. A condition is a value that the field must equal, or an object with one or
//! more tests.

use serde_json::{Map, Value};

use crate::template::lookup;

/// The most conditions in one trigger.
const CONDITIONS_MAX: usize = 50;
/// The longest event name.
const NAME_CHARS_MAX: usize = 100;

/// The tests of conditions.
const TESTS: [&str; 9] = ["eq", "not", "in", "exists", "prefix", "gt", "gte", "lt", "lte"];

/// Why a condition or an event name is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMatch {
    #[error("`{0}` is not a valid event name: use lower-case words separated by dots, as in folder.changed")]
    Name(String),
    #[error("a trigger has at most {CONDITIONS_MAX} conditions")]
    TooMany,
    #[error("`{path}`: there is no test `{test}`; use one of {}", TESTS.join(", "))]
    Test { path: String, test: String },
    #[error("`{path}`: `{test}` needs {needs}")]
    Value { path: String, test: String, needs: &'static str },
}

/// Checks the name of an event.
///
/// # Errors
/// The name is invalid.
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

/// Checks the conditions of a trigger.
///
/// # Errors
/// The first invalid condition.
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

/// Whether an event's data meets all conditions. A missing field meets only `exists: false` and `not`.
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
    fn all_conditions_must_be_met() {
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
    fn invalid_conditions_and_names_are_rejected() {
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
