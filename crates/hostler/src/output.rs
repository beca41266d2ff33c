//! What commands print on stdout: tables for people, stable columns for pipes, JSON for programs.

use std::io::{IsTerminal as _, Write as _};

use serde_json::Value;

use crate::{
    cli::Globals,
    fail::{Failure, Result},
    filter::Filter,
};

/// The forms of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Aligned for people; tab-separated when piped
    Table,
    /// The same with more columns
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

/// A column that is always shown.
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

/// A cell as it is safe to show: what machines say of themselves must not move anybody's cursor.
fn plain(cell: &str) -> String {
    cell.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Whether stdout is a person's terminal.
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

/// Prints one thing: as lines of `key  value`, or in the form asked for.
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

/// Keeps only the fields of `--fields`.
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

/// One line on stdout. A reader that has gone (`| head`) is no error.
pub(crate) fn line(text: &str) {
    let _ = writeln!(anstream::stdout(), "{text}");
}

/// A number of seconds as a length that can be typed again, as in `90m`; empty if it is absent. Nothing is rounded: it
/// is a setting, not an age.
pub(crate) fn length(value: &Value, path: &str) -> String {
    let Some(seconds) = value.get(path).and_then(Value::as_u64) else { return String::new() };
    let units = [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")];
    let unit = units.into_iter().find(|(unit, _)| seconds > 0 && seconds.is_multiple_of(*unit));
    unit.map_or_else(|| "0s".to_owned(), |(unit, word)| format!("{}{word}", seconds / unit))
}

/// Whether the output is for people.
pub(crate) fn is_table(globals: &Globals) -> bool {
    matches!(globals.output, None | Some(Format::Table | Format::Wide))
}

/// `3 s ago`, for people; the time itself for pipes.
pub(crate) fn when(value: &Value, path: &str) -> String {
    let text = text(value, path);
    if !is_terminal() {
        return text;
    }
    match text.parse::<domain::Timestamp>() {
        Ok(at) => {
            let now = runtime::clock::wall();
            if at > now { format!("in {}", at.since(now)) } else { format!("{} ago", now.since(at)) }
        }
        Err(_) => text,
    }
}

/// The time zone of whoever reads: the one given, else that of the machine, else UTC.
pub(crate) fn reader_zone(given: Option<&str>) -> String {
    let is_zone = |name: &String| runtime::clock::wall().said_in(name).is_some();
    let given = given.map(|zone| zone.trim_start_matches(':').to_owned());
    let machine = || {
        let link = std::fs::read_link("/etc/localtime").ok()?;
        link.to_str()?.split_once("zoneinfo/").map(|(_, name)| name.to_owned())
    };
    given.filter(is_zone).or_else(machine).filter(is_zone).unwrap_or_else(|| "UTC".to_owned())
}
