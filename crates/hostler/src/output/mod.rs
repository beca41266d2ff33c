//! Output on stdout: aligned tables on a terminal, tab-separated columns in a pipe, JSON and YAML on request.
//!
//! - `cell`: texts of table cells and sentences
//! - `filter`: the `--filter` language

mod cell;
pub(crate) mod filter;

use std::{process::ExitCode, time::Duration};

use serde_json::Value;

pub(crate) use self::cell::{
    bytes, command_line, count, duration, fields_of, joined, length, percent, plural, text, texts, when, yes_no,
};
use self::{cell::without_control_characters, filter::Filter};
pub(crate) use crate::terminal::{self, json_line, line};
pub(crate) use crate::times::{is_terminal, local_time, log_time, relative, with_local_times, zone_or_local};
use crate::{
    fail::{Failure, Result},
    globals::{Format, Globals},
};

/// How often `-w` refreshes a list.
const WATCH_INTERVAL: Duration = Duration::from_secs(2);

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

/// Prints a list of items of a kind; with `-w` refreshes it until Ctrl-C.
pub(crate) async fn show_list<F>(
    globals: &Globals,
    kind: &str,
    name: &str,
    columns: &[Column],
    read: impl Fn() -> F,
) -> Result<ExitCode>
where
    F: Future<Output = Result<Vec<Value>>>,
{
    loop {
        let items = read().await?;
        if globals.watch && is_terminal() {
            terminal::clear();
        }
        list_of(globals, kind, items, name, columns)?;
        if !globals.watch {
            return Ok(ExitCode::SUCCESS);
        }
        tokio::select! {
            () = tokio::time::sleep(WATCH_INTERVAL) => {}
            _ = tokio::signal::ctrl_c() => return Ok(ExitCode::from(130)),
        }
    }
}

/// Prints a list of items of a kind. On a terminal a note replaces an empty table; in a pipe the header line stays.
pub(crate) fn list_of(globals: &Globals, kind: &str, items: Vec<Value>, name: &str, columns: &[Column]) -> Result<()> {
    let items = filtered(globals, items)?;
    if items.is_empty() && is_table(globals) && is_terminal() {
        if !globals.quiet {
            let condition = if globals.filter.is_some() { " match the filter" } else { "" };
            terminal::error_line(&format!("no {}{condition}", plural(kind)));
        }
        return Ok(());
    }
    list(globals, items, name, columns)
}

fn filtered(globals: &Globals, items: Vec<Value>) -> Result<Vec<Value>> {
    let filter: Filter = globals.filter.as_deref().unwrap_or_default().parse()?;
    Ok(items.into_iter().filter(|item| filter.matches(item)).collect())
}

/// Prints a list.
pub(crate) fn list(globals: &Globals, items: Vec<Value>, name: &str, columns: &[Column]) -> Result<()> {
    let items = filtered(globals, items)?;
    match globals.output.unwrap_or(Format::Table) {
        Format::Json => json(&Value::Array(fields(globals, items))),
        Format::Jsonl => fields(globals, items).iter().for_each(|item| json_line(&item.to_string())),
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
        Format::Jsonl => json_line(&fields(globals, vec![item]).remove(0).to_string()),
        Format::Yaml => yaml(&fields(globals, vec![item]).remove(0))?,
        Format::Name => line(&text(&item, name)),
        format => {
            let visible = rows.iter().filter(|row| !row.is_wide || format == Format::Wide);
            let pairs: Vec<(&str, String)> = visible
                .map(|row| (row.title, for_reader(&(row.cell)(&item))))
                .filter(|(_, cell)| !cell.is_empty())
                .collect();
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
    let Some(names) = &globals.fields else { return items };
    let keep = |item: &Value| {
        names
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
                    .map(|column| for_reader(&(column.cell)(item).replace(['\t', '\n'], " ")))
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
        table.add_row(columns.iter().map(|column| for_reader(&(column.cell)(item))));
    }
    for row in table.lines() {
        line(row.trim_end());
    }
}

/// A cell as the reader sees it.
fn for_reader(cell: &str) -> String {
    without_control_characters(&with_local_times(cell))
}

fn json(value: &Value) {
    json_line(&serde_json::to_string_pretty(value).unwrap_or_default());
}

fn yaml(value: &Value) -> Result<()> {
    let text = serde_yaml_ng::to_string(value).map_err(|error| Failure::usage(error.to_string()))?;
    line(text.trim_end());
    Ok(())
}

/// Whether the output format is a table.
pub(crate) fn is_table(globals: &Globals) -> bool {
    matches!(globals.output, None | Some(Format::Table | Format::Wide))
}
