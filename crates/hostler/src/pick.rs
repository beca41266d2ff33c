//! Lookup of resources by reference: an id, an id prefix (`01K4Z`), a name (`web-1`) or a pattern (`web-*`).

use domain::name::fits;
use serde_json::Value;

use crate::{
    fail::{Failure, Result},
    output::{count, plural, text},
};

/// The shortest accepted prefix of an id.
const PREFIX_MIN: usize = 4;

/// The items that match a reference. Only a pattern, or a name that several items share, may match more than one.
pub(crate) fn pick<'a>(items: &'a [Value], kind: &str, name: &str, reference: &str) -> Result<Vec<&'a Value>> {
    let exact: Vec<&Value> = items
        .iter()
        .filter(|item| text(item, name) == reference || text(item, "id").eq_ignore_ascii_case(reference))
        .collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    if reference.contains('*') {
        let found: Vec<&Value> = items.iter().filter(|item| fits(reference, &text(item, name))).collect();
        return if found.is_empty() { Err(missing(kind, reference)) } else { Ok(found) };
    }
    let upper = reference.to_ascii_uppercase();
    let found: Vec<&Value> = if reference.len() >= PREFIX_MIN {
        items.iter().filter(|item| text(item, "id").starts_with(&upper)).collect()
    } else {
        Vec::new()
    };
    match found.len() {
        0 => Err(missing(kind, reference)),
        1 => Ok(found),
        _ => {
            let candidates = candidates(&found, name);
            Err(Failure::usage(format!("`{reference}` matches several {}: {candidates}", plural(kind)))
                .hint("write more characters of the id, or the name"))
        }
    }
}

/// The only item that matches a reference.
pub(crate) fn pick_one<'a>(items: &'a [Value], kind: &str, name: &str, reference: &str) -> Result<&'a Value> {
    let found = pick(items, kind, name, reference)?;
    match found.as_slice() {
        [one] => Ok(one),
        several => {
            let (found, candidates) = (count(several.len(), kind), candidates(several, name));
            let detail = format!("`{reference}` matches {found}, and this command takes one: {candidates}");
            Err(Failure::usage(detail).hint("use the id"))
        }
    }
}

/// The items with their names and ids, for a message.
fn candidates(items: &[&Value], name: &str) -> String {
    let all: Vec<String> = items.iter().map(|item| format!("{} ({})", text(item, name), text(item, "id"))).collect();
    all.join(", ")
}

fn missing(kind: &str, reference: &str) -> Failure {
    // A kind of several words begins with the command's word: `maintenance window`.
    let command = match kind.split(' ').next() {
        Some("webhook") => "hook",
        Some(word) => word,
        None => kind,
    };
    let hint = format!("`hostler {command} list` lists the {}", plural(kind));
    Failure::new(proto::Code::NotFound, format!("there is no {kind} `{reference}`")).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pick_finds_by_name_prefix_and_pattern_and_rejects_ambiguous_references() {
        let items = vec![
            json!({"id": "01K4ZAAAAAAAAAAAAAAAAAAAAA", "name": "web-1"}),
            json!({"id": "01K4ZBBBBBBBBBBBBBBBBBBBBB", "name": "web-2"}),
            json!({"id": "01K5AAAAAAAAAAAAAAAAAAAAAA", "name": "db"}),
        ];
        let names = |reference: &str| {
            pick(&items, "host", "name", reference)
                .map(|found| found.iter().map(|item| text(item, "name")).collect::<Vec<_>>())
        };
        assert_eq!(names("web-1").expect("a name"), ["web-1"]);
        assert_eq!(names("01k4za").expect("a prefix"), ["web-1"]);
        assert_eq!(names("web-*").expect("a pattern"), ["web-1", "web-2"]);
        let ambiguous = names("01K4").expect_err("two");
        assert!(ambiguous.problem.detail.contains("web-1") && ambiguous.problem.detail.contains("web-2"));
        assert_eq!(ambiguous.problem.code.exit(), 2);
        assert_eq!(names("nope").expect_err("none").problem.code.exit(), 6);
        assert_eq!(names("01K").expect_err("too short").problem.code.exit(), 6);
        let several = pick_one(&items, "host", "name", "web-*").expect_err("two").problem;
        assert!(several.detail.contains("web-2 (01K4ZBBBBBBBBBBBBBBBBBBBBB)"), "{}", several.detail);
        assert_eq!(several.hint.as_deref(), Some("use the id"));
    }
}
