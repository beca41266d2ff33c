//! Payload templates: `{{ path }}` is replaced by a value of the context. There are no expressions, loops or functions.
//!
//! A text that consists of one slot becomes the value itself, whatever its type. In a longer text only strings, numbers
//! and booleans can be inserted. A path that the context does not have is an error, because a payload with a missing
//! value could run a command with the wrong arguments.

use serde_json::{Map, Value};

use crate::schema::{DEPTH_MAX, PAYLOAD_BYTES_MAX, Violation, escape};

/// The most values in a template.
const NODES_MAX: usize = 5_000;
/// The most names in a path.
const STEPS_MAX: usize = 16;

/// Renders a template with the values of a context.
///
/// # Errors
/// A slot is not closed or names a missing value, or the result is too large.
pub fn render(template: &Value, context: &Value) -> Result<Value, Violation> {
    let mut work = Work { context, nodes: 0, bytes: 0 };
    work.value(template, &mut String::new(), 0)
}

/// Renders one text, such as a dedupe key.
///
/// # Errors
/// As for [`render`].
pub fn render_text(template: &str, context: &Value) -> Result<String, Violation> {
    match render(&Value::String(template.to_owned()), context)? {
        Value::String(text) => Ok(text),
        other => plain(&other).ok_or_else(|| fault("", "must be a string, a number or a boolean")),
    }
}

/// The value at a dotted path of object names and array indexes.
#[must_use]
pub fn lookup<'v>(context: &'v Value, path: &str) -> Option<&'v Value> {
    let mut steps = path.split('.');
    let found = steps.by_ref().take(STEPS_MAX).try_fold(context, |at, step| match at {
        Value::Object(fields) => fields.get(step),
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    });
    if steps.next().is_some() { None } else { found }
}

struct Work<'c> {
    context: &'c Value,
    nodes: usize,
    bytes: usize,
}

impl Work<'_> {
    fn value(&mut self, template: &Value, at: &mut String, depth: usize) -> Result<Value, Violation> {
        self.nodes += 1;
        if depth > DEPTH_MAX || self.nodes > NODES_MAX {
            return Err(fault(
                at,
                format!("a template has at most {NODES_MAX} values, nested at most {DEPTH_MAX} deep"),
            ));
        }
        Ok(match template {
            Value::String(text) => self.text(text, at)?,
            Value::Array(items) => {
                let mut made = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    made.push(self.below(item, &index.to_string(), at, depth)?);
                }
                Value::Array(made)
            }
            Value::Object(fields) => {
                let mut made = Map::new();
                for (name, field) in fields {
                    made.insert(name.clone(), self.below(field, name, at, depth)?);
                }
                Value::Object(made)
            }
            plain => plain.clone(),
        })
    }

    fn below(&mut self, template: &Value, step: &str, at: &mut String, depth: usize) -> Result<Value, Violation> {
        let length = at.len();
        at.push('/');
        at.push_str(&escape(step));
        let made = self.value(template, at, depth + 1);
        at.truncate(length);
        made
    }

    fn text(&mut self, text: &str, at: &str) -> Result<Value, Violation> {
        let mut made = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (path, after) =
                after.split_once("}}").ok_or_else(|| fault(at, "has `{{` without `}}`; write {{ event.name }}"))?;
            let found = self.found(path.trim(), at)?;
            if before.is_empty() && after.is_empty() && made.is_empty() {
                self.grow(found.to_string().len(), at)?;
                return Ok(found);
            }
            made.push_str(before);
            let text = plain(&found).ok_or_else(|| {
                fault(at, format!("`{}` is a list, an object or null: use it as the whole text", path.trim()))
            })?;
            made.push_str(&text);
            rest = after;
        }
        made.push_str(rest);
        self.grow(made.len(), at)?;
        Ok(Value::String(made))
    }

    fn found(&self, path: &str, at: &str) -> Result<Value, Violation> {
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
        if path.is_empty() || !path.chars().all(is_path) {
            let shown: String = path.chars().take(60).collect();
            return Err(fault(
                at,
                format!("`{shown}` is not a path such as event.folder; expressions are not supported"),
            ));
        }
        lookup(self.context, path).cloned().ok_or_else(|| fault(at, format!("there is no `{path}`")))
    }

    fn grow(&mut self, bytes: usize, at: &str) -> Result<(), Violation> {
        self.bytes += bytes;
        if self.bytes > PAYLOAD_BYTES_MAX {
            return Err(fault(at, "the rendered payload is too large"));
        }
        Ok(())
    }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is) => Some(is.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn fault(at: &str, detail: impl Into<String>) -> Violation {
    Violation { pointer: at.to_owned(), detail: detail.into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn context() -> Value {
        json!({"event": {"folder": "/srv", "count": 3, "tags": ["a", "b"], "deep": {"is": true}, "none": null}})
    }

    #[test]
    fn rendered_values_keep_their_types() {
        let template = json!({
            "path": "{{event.folder}}", "n": "{{ event.count }}", "all": "{{event.tags}}", "one": "{{event.tags.1}}",
            "text": "{{event.folder}}/x-{{event.count}}", "is": "{{event.deep.is}}", "none": "{{event.none}}",
            "left": ["as it is", 1, null],
        });
        let made = json!({
            "path": "/srv", "n": 3, "all": ["a", "b"], "one": "b", "text": "/srv/x-3", "is": true, "none": null,
            "left": ["as it is", 1, null],
        });
        assert_eq!(render(&template, &context()), Ok(made));
        assert_eq!(render_text("{{event.count}}", &context()), Ok("3".to_owned()));
    }

    #[test]
    fn errors_have_a_pointer() {
        for (template, pointer, detail) in [
            (json!({"a": ["{{event.missing}}"]}), "/a/0", "there is no `event.missing`"),
            (json!({"a": "{{event.folder"}), "/a", "without `}}`"),
            (json!({"a": "x {{event.tags}}"}), "/a", "use it as the whole text"),
            (json!({"a": "{{ 1 + 1 }}"}), "/a", "is not a path"),
            (json!({"a/b": "{{}}"}), "/a~1b", "is not a path"),
            (json!("{{event.deep.is.more}}"), "", "there is no `event.deep.is.more`"),
        ] {
            let fault = render(&template, &context()).expect_err("is wrong");
            assert_eq!(fault.pointer, pointer, "{template}");
            assert!(fault.detail.contains(detail), "{}", fault.detail);
        }
    }

    #[test]
    fn template_limits_are_checked() {
        let big = json!({"event": {"big": "x".repeat(PAYLOAD_BYTES_MAX / 2)}});
        assert!(render(&json!(["{{event.big}}"]), &big).is_ok());
        assert!(render(&json!(["{{event.big}}", "{{event.big}}", "{{event.big}}"]), &big).is_err());
        let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
        assert!(render(&deep, &big).is_err());
        assert!(render(&json!(vec![0; NODES_MAX + 1]), &big).is_err());
        let path = vec!["event"; STEPS_MAX + 1].join(".");
        assert_eq!(lookup(&json!({"event": 1}), &path), None);
    }
}
