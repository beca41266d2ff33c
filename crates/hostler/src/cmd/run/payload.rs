//! Payload values from arguments: inline JSON, files, stdin and `NAME=VALUE` pairs.

use std::io::Read as _;

use serde_json::{Map, Value, json};

use crate::{
    client::Client,
    fail::{Failure, Result},
};

/// Reads a JSON object from an option: inline, from a file (`@payload.json`) or from stdin (`-`).
pub(crate) fn object(name: &str, source: &str) -> Result<Map<String, Value>> {
    let json = match source.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("cannot read {path}")).because(&error))?,
        None if source == "-" => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|error| Failure::usage(format!("cannot read the {name} from stdin")).because(&error))?;
            text
        }
        None => source.to_owned(),
    };
    match serde_json::from_str(&json) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(Failure::usage(format!("the {name} must be a JSON object, for example {{\"name\": \"value\"}}"))),
        Err(error) => Err(Failure::usage(format!("the {name} is not valid JSON: {error}"))),
    }
}

/// Builds the payload from `--input` and `NAME=VALUE` arguments.
pub(crate) fn payload(values: &[String], input: Option<&str>) -> Result<Value> {
    let mut payload = input.map(|input| object("payload", input)).transpose()?.unwrap_or_default();
    for value in values {
        let (name, value) = match (value.split_once(":="), value.split_once('=')) {
            (Some((name, raw)), _) if !name.contains('=') => {
                let parsed = serde_json::from_str(raw)
                    .map_err(|error| Failure::usage(format!("the value of `{name}` is not valid JSON: {error}")))?;
                (name, parsed)
            }
            (_, Some((name, raw))) => (name, guess(raw)),
            _ => {
                return Err(Failure::usage(format!("`{value}` is not NAME=VALUE"))
                    .hint("write for example seconds=5, or items:='[1,2]' for JSON"));
            }
        };
        payload.insert(name.to_owned(), value);
    }
    Ok(Value::Object(payload))
}

/// Turns guessed numbers and booleans back into strings where the definition's schema requires a string. If the
/// definition cannot be read, the payload stays as it is and the hub validates it.
pub(crate) async fn coerce_payload(
    client: &Client,
    definition: Option<&str>,
    values: &[String],
    payload: Option<&mut Value>,
) {
    let (Some(definition), Some(payload)) = (definition, payload) else { return };
    let pairs = values.iter().filter_map(|value| value.split_once('=')).filter(|(name, _)| !name.ends_with(':'));
    let guessed: Vec<(&str, &str)> = pairs.filter(|(_, raw)| !guess(raw).is_string()).collect();
    if guessed.is_empty() {
        return;
    }
    let Ok(found) = client.get(&format!("/jobs/definitions/{definition}")).await else { return };
    for (name, raw) in guessed {
        if let Some(value) = payload.get_mut(name).filter(|_| is_string_only(&found["arg_schema"], name)) {
            *value = json!(raw);
        }
    }
}

/// Whether the schema allows only a string for a field.
fn is_string_only(schema: &Value, name: &str) -> bool {
    schema["properties"][name]["type"] == "string"
}

/// Converts integers, `true` and `false` to JSON values; everything else is a string.
fn guess(raw: &str) -> Value {
    match raw {
        "true" => json!(true),
        "false" => json!(false),
        _ if raw.parse::<i64>().is_ok_and(|number| number.to_string() == raw) => json!(raw.parse::<i64>().unwrap_or(0)),
        _ => json!(raw),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_string_only_needs_a_schema_that_allows_nothing_but_a_string() {
        let schema = json!({"properties": {"id": {"type": "string"}, "count": {"type": "integer"}, "any": {},
            "both": {"type": ["string", "integer"]}}});
        let texts = ["id", "count", "any", "both", "unknown"].map(|name| is_string_only(&schema, name));
        assert_eq!(texts, [true, false, false, false, false]);
        assert!(!is_string_only(&Value::Null, "id"));
    }
}
