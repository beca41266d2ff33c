//! Texts of table cells and sentences: fields, counts, durations, sizes.

use domain::{Span, Timestamp};
use serde_json::Value;

use crate::times::{is_terminal, relative, whole_seconds};

/// The text of a field, empty if it is absent.
pub(crate) fn text(value: &Value, path: &str) -> String {
    let found = path.split('.').try_fold(value, |value, key| value.get(key));
    match found {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// A time field: `3 min ago` on a terminal, RFC 3339 in UTC in a pipe; empty if the field is absent.
pub(crate) fn when(value: &Value, path: &str) -> String {
    let text = text(value, path);
    if !is_terminal() {
        return whole_seconds(&text);
    }
    match text.parse::<Timestamp>() {
        Ok(at) => relative(at, runtime::clock::wall()),
        Err(_) => text,
    }
}

/// The strings of a list field.
pub(crate) fn texts(value: &Value, name: &str) -> Vec<String> {
    value[name].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// `yes` or `no` for a boolean field, empty if the field is absent.
pub(crate) fn yes_no(value: &Value, path: &str) -> String {
    match text(value, path).as_str() {
        "true" => "yes".to_owned(),
        "false" => "no".to_owned(),
        _ => String::new(),
    }
}

/// A list of words in one cell, separated by commas.
pub(crate) fn joined(value: &Value) -> String {
    let word = |item: &Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
    value.as_array().map(|items| items.iter().map(word).collect::<Vec<_>>().join(", ")).unwrap_or_default()
}

/// A command with its arguments, quoted where a shell would need it.
pub(crate) fn command_line(argv: &Value) -> String {
    let quoted = |word: &str| {
        let is_bare = |c: char| c.is_alphanumeric() || "-_./:=,@%+{}".contains(c);
        if !word.is_empty() && word.chars().all(is_bare) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    argv.as_array().into_iter().flatten().filter_map(Value::as_str).map(quoted).collect::<Vec<_>>().join(" ")
}

/// The fields of an object in one cell, as in `policy=on_failure, loop_after=3`. Null fields are omitted.
pub(crate) fn fields_of(value: &Value) -> String {
    let field = |(name, value): (&String, &Value)| match value {
        Value::Null => None,
        Value::String(text) => Some(format!("{name}={text}")),
        other => Some(format!("{name}={other}")),
    };
    value.as_object().into_iter().flatten().filter_map(field).collect::<Vec<_>>().join(", ")
}

/// Replaces control characters, so that text reported by a host cannot send escape sequences to the terminal.
pub(super) fn without_control_characters(cell: &str) -> String {
    cell.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// A number of seconds as a duration that the CLI accepts as input, as in `90m`; empty if the field is absent. It is
/// exact, because it shows a setting and not an age.
pub(crate) fn length(value: &Value, path: &str) -> String {
    let Some(seconds) = value.get(path).and_then(Value::as_u64) else { return String::new() };
    let units = [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")];
    let unit = units.into_iter().find(|(unit, _)| seconds > 0 && seconds.is_multiple_of(*unit));
    unit.map_or_else(|| "0s".to_owned(), |(unit, word)| format!("{}{word}", seconds / unit))
}

/// A measured number of seconds, as in `6 min`; empty if the field is absent.
pub(crate) fn duration(value: &Value, path: &str) -> String {
    let seconds = value.get(path).and_then(Value::as_u64);
    seconds.map(|count| Span::from_secs(u32::try_from(count).unwrap_or(u32::MAX)).to_string()).unwrap_or_default()
}

/// A share in whole percent; empty if there is no value.
pub(crate) fn percent(value: Option<f64>) -> String {
    value.map(|value| format!("{value:.0}%")).unwrap_or_default()
}

/// A size in the largest fitting unit.
#[expect(clippy::cast_precision_loss, reason = "rounded for display")]
pub(crate) fn bytes(count: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1_024 {
        return format!("{count} B");
    }
    let power = (1..units.len()).take_while(|power| count >> (10 * (power + 1)) > 0).count();
    format!("{:.1} {}", count as f64 / 1_024_f64.powi(i32::try_from(power + 1).unwrap_or(1)), units[power])
}

/// The plural of a noun: `jobs`, `batches`, `queries`.
pub(crate) fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with(['s', 'x']) || noun.ends_with("ch") || noun.ends_with("sh") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// A number with its noun: `1 job`, `2 jobs`, `0 jobs`.
pub(crate) fn count(number: impl std::fmt::Display, noun: &str) -> String {
    let number = number.to_string();
    if number == "1" { format!("1 {noun}") } else { format!("{number} {}", plural(noun)) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn count_uses_the_plural_except_for_one() {
        assert_eq!(count(1, "job"), "1 job");
        assert_eq!(count(0, "host"), "0 hosts");
        assert_eq!(count(2_u64, "batch"), "2 batches");
        assert_eq!(count("3", "query"), "3 queries");
        assert_eq!(count(2, "key"), "2 keys");
    }

    #[test]
    fn bytes_chooses_the_largest_fitting_unit() {
        for (count, shown) in [(0, "0 B"), (1_536, "1.5 KiB"), (25_000_000_000, "23.3 GiB"), (3 << 40, "3.0 TiB")] {
            assert_eq!(bytes(count), shown);
        }
    }

    #[test]
    fn command_line_quotes_only_words_that_need_it() {
        assert_eq!(
            command_line(&json!(["echo", "Hello, {{ name }}!", "it's"])),
            r"echo 'Hello, {{ name }}!' 'it'\''s'"
        );
        assert_eq!(command_line(&json!(["java", "-jar", "server.jar"])), "java -jar server.jar");
        assert_eq!(command_line(&Value::Null), "");
    }

    #[test]
    fn length_is_exact_and_duration_is_rounded() {
        let value = json!({"seconds": 5_400});
        assert_eq!((length(&value, "seconds").as_str(), duration(&value, "seconds").as_str()), ("90m", "1 h"));
    }

    #[test]
    fn fields_of_omits_null() {
        assert_eq!(fields_of(&json!({"kind": "tcp", "port": 6379, "host": null})), "kind=tcp, port=6379");
    }
}
