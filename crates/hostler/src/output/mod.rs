//! Output on stdout: aligned tables on a terminal, tab-separated columns in a pipe, JSON and YAML on request.

use std::io::{IsTerminal as _, Write as _};

use serde_json::Value;

use crate::{
    cli::Globals,
    fail::{Failure, Result},
    filter::Filter,
};

/// The values of `--output`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns on a terminal, tab-separated in a pipe
    Table,
    /// Table with more columns
    Wide,
    /// One JSON document
    Json,
    /// One JSON document per line
    Jsonl,
    /// YAML
    Yaml,
    /// Names only
    Name,
}

/// A column of a table.
pub(crate) struct Column {
    pub(crate) title: &'static str,
    pub(crate) is_wide: bool,
    pub(crate) cell: fn(&Value) -> String,
}

/// A column that every table format shows.
pub(crate) const fn column(title: &'static str, cell: fn(&Value) -> String) -> Column {
    Column { title, is_wide: false, cell }
}

/// A column that only `-o wide` shows.
pub(crate) const fn wide(title: &'static str, cell: fn(&Value) -> String) -> Column {
    Column { title, is_wide: true, cell }
}

/// The text of a field, empty if it is absent.
pub(crate) fn text(value: &Value, path: &str) -> String {
    let found = path.split('.').try_fold(value, |value, key| value.get(key));
    match found {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// Replaces control characters, so that text reported by a host cannot send escape sequences to the terminal.
fn plain(cell: &str) -> String {
    cell.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Whether stdout is a terminal.
pub(crate) fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Prints a list.
pub(crate) fn list(globals: &Globals, items: Vec<Value>, name: &str, columns: &[Column]) -> Result<()> {
    let filter: Filter = globals.filter.as_deref().unwrap_or_default().parse()?;
    let items: Vec<Value> = items.into_iter().filter(|item| filter.matches(item)).collect();
    match globals.output.unwrap_or(Format::Table) {
        Format::Json => json(&Value::Array(fields(globals, items))),
        Format::Jsonl => fields(globals, items).iter().for_each(|item| line(&item.to_string())),
        Format::Yaml => yaml(&Value::Array(fields(globals, items)))?,
        Format::Name => items.iter().for_each(|item| line(&text(item, name))),
        format => table(&items, columns, format == Format::Wide),
    }
    Ok(())
}

/// Prints one item as lines of `KEY  value`, or in the requested format.
pub(crate) fn one(globals: &Globals, item: Value, name: &str, rows: &[Column]) -> Result<()> {
    match globals.output.unwrap_or(Format::Table) {
        Format::Json => json(&fields(globals, vec![item]).remove(0)),
        Format::Jsonl => line(&fields(globals, vec![item]).remove(0).to_string()),
        Format::Yaml => yaml(&fields(globals, vec![item]).remove(0))?,
        Format::Name => line(&text(&item, name)),
        format => {
            let shown = rows.iter().filter(|row| !row.is_wide || format == Format::Wide);
            let pairs: Vec<(&str, String)> =
                shown.map(|row| (row.title, plain(&(row.cell)(&item)))).filter(|(_, cell)| !cell.is_empty()).collect();
            let width = pairs.iter().map(|(title, _)| title.len()).max().unwrap_or(0);
            for (title, cell) in pairs {
                line(&if is_terminal() { format!("{title:width$}  {cell}") } else { format!("{title}\t{cell}") });
            }
        }
    }
    Ok(())
}

/// Reduces items to the fields of `--fields`.
fn fields(globals: &Globals, items: Vec<Value>) -> Vec<Value> {
    let Some(wanted) = &globals.fields else { return items };
    let keep = |item: &Value| {
        wanted
            .split(',')
            .map(|key| (key.trim().to_owned(), item.get(key.trim()).cloned().unwrap_or(Value::Null)))
            .collect()
    };
    items.iter().map(keep).collect()
}

fn table(items: &[Value], columns: &[Column], is_wide: bool) {
    let columns: Vec<&Column> = columns.iter().filter(|column| is_wide || !column.is_wide).collect();
    if !is_terminal() {
        line(&columns.iter().map(|column| column.title).collect::<Vec<_>>().join("\t"));
        for item in items {
            line(
                &columns
                    .iter()
                    .map(|column| plain(&(column.cell)(item).replace(['\t', '\n'], " ")))
                    .collect::<Vec<_>>()
                    .join("\t"),
            );
        }
        return;
    }
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(columns.iter().map(|column| column.title));
    for item in items {
        table.add_row(columns.iter().map(|column| plain(&(column.cell)(item))));
    }
    for row in table.lines() {
        line(row.trim_end());
    }
}

fn json(value: &Value) {
    line(&serde_json::to_string_pretty(value).unwrap_or_default());
}

fn yaml(value: &Value) -> Result<()> {
    let text = serde_yaml_ng::to_string(value).map_err(|error| Failure::usage(error.to_string()))?;
    line(text.trim_end());
    Ok(())
}

/// Prints one line on stdout. A closed pipe (`| head`) is not an error.
pub(crate) fn line(text: &str) {
    let _ = writeln!(anstream::stdout(), "{text}");
}

/// A number of seconds as a duration that the CLI accepts as input, as in `90m`; empty if the field is absent. It is
/// exact, because it shows a setting and not an age.
pub(crate) fn length(value: &Value, path: &str) -> String {
    let Some(seconds) = value.get(path).and_then(Value::as_u64) else { return String::new() };
    let units = [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")];
    let unit = units.into_iter().find(|(unit, _)| seconds > 0 && seconds.is_multiple_of(*unit));
    unit.map_or_else(|| "0s".to_owned(), |(unit, word)| format!("{}{word}", seconds / unit))
}

/// Whether the output format is a table.
pub(crate) fn is_table(globals: &Globals) -> bool {
    matches!(globals.output, None | Some(Format::Table | Format::Wide))
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

/// A time in RFC 3339 without its microseconds, for pipes; other texts unchanged.
pub(crate) fn whole_seconds(time: &str) -> String {
    match time.split_once('.') {
        Some((seconds, fraction)) if fraction.ends_with('Z') => format!("{seconds}Z"),
        _ => time.to_owned(),
    }
}

/// A time for a sentence: in the local time zone on a terminal, RFC 3339 in UTC in a pipe.
pub(crate) fn moment(time: &str) -> String {
    let local = || time.parse::<domain::Timestamp>().ok()?.said_in(local_zone());
    if is_terminal() { local().unwrap_or_else(|| whole_seconds(time)) } else { whole_seconds(time) }
}

/// The time of a log line, to milliseconds: the local clock time on a terminal, RFC 3339 in UTC in a pipe.
pub(crate) fn log_time(time: &str) -> String {
    let Some((seconds, fraction)) = time.split_once('.') else { return time.to_owned() };
    let millis = fraction.get(..3).unwrap_or("000");
    let local = || {
        let local = time.parse::<domain::Timestamp>().ok()?.in_zone(local_zone())?;
        let clock = local.split_once('T')?.1.get(..8)?.to_owned();
        Some(format!("{clock}.{millis}"))
    };
    if is_terminal() { local().unwrap_or_else(|| time.to_owned()) } else { format!("{seconds}.{millis}Z") }
}

/// A time field: `3 min ago` on a terminal, RFC 3339 in UTC in a pipe; empty if the field is absent.
pub(crate) fn when(value: &Value, path: &str) -> String {
    let text = text(value, path);
    if !is_terminal() {
        return whole_seconds(&text);
    }
    match text.parse::<domain::Timestamp>() {
        Ok(at) => {
            let now = runtime::clock::wall();
            if at > now { format!("in {}", at.since(now)) } else { format!("{} ago", now.since(at)) }
        }
        Err(_) => text,
    }
}

/// The time zone of this process, read once: `TZ`, else the zone of this machine, else UTC.
pub(crate) fn local_zone() -> &'static str {
    static ZONE: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    ZONE.get_or_init(|| reader_zone(crate::config::environment("TZ").as_deref()))
}

/// The time zone for output: the given one, else the zone of this machine, else UTC.
pub(crate) fn reader_zone(given: Option<&str>) -> String {
    let is_zone = |name: &String| runtime::clock::wall().said_in(name).is_some();
    let given = given.map(|zone| zone.trim_start_matches(':').to_owned());
    let machine = || {
        let link = std::fs::read_link("/etc/localtime").ok()?;
        link.to_str()?.split_once("zoneinfo/").map(|(_, name)| name.to_owned())
    };
    given.filter(is_zone).or_else(machine).filter(is_zone).unwrap_or_else(|| "UTC".to_owned())
}

#[cfg(test)]
mod tests {
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
    fn whole_seconds_drops_only_the_fraction() {
        assert_eq!(whole_seconds("2026-12-01T08:00:00.123456Z"), "2026-12-01T08:00:00Z");
        assert_eq!(whole_seconds("2026-12-01T08:00:00Z"), "2026-12-01T08:00:00Z");
        assert_eq!(whole_seconds("never."), "never.");
    }
}
