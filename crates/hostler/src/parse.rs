//! Parsers of argument values: times, durations, rates, and sources of secrets.

use std::io::Read as _;

use domain::{Span, Timestamp};

use crate::{
    environment::environment,
    fail::{Failure, Result},
};

/// The value that removes a setting.
pub(crate) const NONE: &str = "none";

/// A duration, for example `90s`.
pub(crate) fn span(text: &str) -> Result<Span> {
    text.parse().map_err(|error: domain::time::NotASpan| Failure::usage(error.to_string()))
}

/// A duration in whole seconds.
pub(crate) fn seconds(text: &str) -> Result<u32> {
    Ok(u32::try_from(span(text)?.as_millis() / 1_000).unwrap_or(u32::MAX))
}

/// A time, or a duration from now.
pub(crate) fn future_time(text: &str) -> Result<Timestamp> {
    time(text, |now, span| now + span)
}

/// A time, or a duration before now.
pub(crate) fn past_time(text: &str) -> Result<Timestamp> {
    time(text, |now, span| now - span)
}

fn time(text: &str, apply: impl Fn(Timestamp, Span) -> Timestamp) -> Result<Timestamp> {
    let relative = || text.parse::<Span>().map(|span| apply(runtime::clock::wall(), span));
    text.parse::<Timestamp>().or_else(|_| relative()).map_err(|_| {
        Failure::usage(format!("`{text}` is neither a time nor a duration"))
            .hint("write for example 2026-12-01T08:00:00Z or 2h")
    })
}

/// A rate per minute: `10/m`, `10/min` or a number.
pub(crate) fn per_minute(text: &str) -> Result<i32> {
    let number = text.strip_suffix("/m").or(text.strip_suffix("/min")).unwrap_or(text);
    number.parse().map_err(|_| Failure::usage(format!("`{text}` is not a rate")).hint("write for example 10/m"))
}

/// A value, or `none`.
pub(crate) fn none_or<T>(text: &str, parse: impl FnOnce(&str) -> Result<T>) -> Result<Option<T>> {
    if text == NONE { Ok(None) } else { parse(text).map(Some) }
}

/// Reads a secret from the source that an option names: `-` for stdin, or `env:NAME`. The secret itself is rejected as
/// an argument, because other users can read arguments in the process list.
pub(crate) fn secret(name: &str, source: &str) -> Result<String> {
    let value = match source.strip_prefix("env:") {
        Some(variable) => environment(variable).ok_or_else(|| {
            Failure::usage(format!("cannot read the {name}: there is no {variable} in the environment"))
        })?,
        None if source == "-" => {
            let mut piped = String::new();
            let read = std::io::stdin().read_to_string(&mut piped);
            read.map_err(|error| Failure::usage(format!("cannot read the {name} from stdin")).because(&error))?;
            piped
        }
        None => {
            let detail = format!("the {name} cannot be given on the command line, where other users can read it");
            return Err(Failure::usage(detail).hint("pipe it in and write -, or name a variable with env:NAME"));
        }
    };
    let value = without_line_break(value);
    if value.is_empty() { Err(Failure::usage(format!("the {name} is empty"))) } else { Ok(value) }
}

/// Removes the one line break that editors and `echo` append.
pub(crate) fn without_line_break(mut value: String) -> String {
    if value.ends_with('\n') {
        value.pop();
        if value.ends_with('\r') {
            value.pop();
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_parsed_in_whole_seconds() {
        assert_eq!(seconds("90s").expect("parses"), 90);
        assert_eq!(seconds("2h").expect("parses"), 7_200);
        assert!(seconds("5").expect_err("no unit").problem.detail.contains("is not a duration"));
        assert_eq!(none_or("none", seconds).expect("parses"), None);
    }

    #[test]
    fn durations_are_relative_to_now() {
        let now = runtime::clock::wall();
        assert!(future_time("1h").expect("parses") > now && past_time("1h").expect("parses") < now);
        let absolute = "2026-12-01T08:00:00.000000Z";
        assert_eq!(past_time(absolute).expect("parses").to_string(), absolute);
        assert!(future_time("tomorrow").is_err());
    }

    #[test]
    fn rates_accept_both_units() {
        assert_eq!([per_minute("10/m"), per_minute("10/min"), per_minute("10")].map(|rate| rate.ok()), [Some(10); 3]);
        assert!(per_minute("10/h").is_err());
    }

    #[test]
    fn without_line_break_removes_exactly_one() {
        assert_eq!(without_line_break("a\n\n".to_owned()), "a\n");
        assert_eq!(without_line_break("a\r\n".to_owned()), "a");
    }
}
