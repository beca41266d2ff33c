//! `hostler trigger next`: the next times of a trigger or an expression, computed with the scheduler's code.

use std::process::ExitCode;

use clap::Args;
use domain::{Timestamp, schedule::Schedule};
use proto::api::trigger::{Preview, PreviewChange, PreviewTime};
use serde_json::{Value, json};

use super::{ROUTE, find, is_table};
use crate::{
    client::{Client, encoded},
    fail::{Failure, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, relative, text, zone_or_local},
    parse,
};

/// Page size of the hub's preview route.
const PAGE: usize = 100;

/// Options of `hostler trigger next`
#[derive(Args)]
pub(crate) struct NextArgs {
    /// Trigger (label, id or id prefix), or an expression; an argument with a space or a leading @ is an expression
    #[arg(value_name = "TRIGGER|CRON")]
    subject: String,
    /// Time zone of an expression
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    tz: String,
    /// Your time zone, in which the times are shown too [default: the time zone of this machine]
    #[arg(long, env = "TZ", value_name = "ZONE")]
    here: Option<String>,
    /// Show times after this instead of now: a time such as 2026-03-28T00:00:00Z, or a duration from now
    #[arg(long, value_name = "TIME")]
    after: Option<String>,
    /// Number of times
    #[arg(short = 'n', long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    count: u16,
}

/// Columns on a terminal: the time in the trigger's zone and in the user's zone, and the distance from now.
const TERMINAL_COLUMNS: &[Column] = &[
    column("SCHEDULE TIME", |t| text(t, "local")),
    column("YOUR TIME", |t| text(t, "here")),
    column("IN", |t| text(t, "in")),
];

/// Columns in a pipe: RFC 3339 with the offset of the trigger's zone, and in UTC.
const PIPE_COLUMNS: &[Column] =
    &[column("SCHEDULE TIME", |t| text(t, "local")), column("AT", |t| output::when(t, "at"))];

pub(super) async fn next(globals: &Globals, args: NextArgs) -> Result<ExitCode> {
    let after = match args.after.as_deref() {
        Some(after) => parse::future_time(after)?,
        None => runtime::clock::wall(),
    };
    let count = usize::from(args.count);
    let is_expression = args.subject.starts_with('@') || args.subject.contains(' ');
    let preview = if is_expression {
        of_expression(&args.subject, &args.tz, after, count)?
    } else {
        of_trigger(&Client::new(globals)?, &args.subject, after, count).await?
    };
    show(globals, &preview, args.here.as_deref())?;
    if is_expression && has_hashed_field(&args.subject) && is_table(globals) {
        messages::note(
            globals,
            "H is replaced by a value derived from the trigger's id; the times shown are only an example",
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn has_hashed_field(expression: &str) -> bool {
    !expression.starts_with('@') && expression.to_ascii_uppercase().split([' ', ',']).any(|item| item.starts_with('H'))
}

fn of_expression(expression: &str, zone: &str, after: Timestamp, count: usize) -> Result<Preview> {
    let schedule = Schedule::parse(expression, zone, "preview", after).map_err(|error| {
        let failure = Failure::usage(error.to_string());
        match error {
            domain::schedule::BadSchedule::Fields(_) => {
                failure.hint("if you mean a trigger whose label has a space, use its id")
            }
            _ => failure,
        }
    })?;
    let next = |at: &Timestamp| schedule.next_after(*at);
    let times: Vec<Timestamp> = std::iter::successors(next(&after), next).take(count).collect();
    let changes = times.last().map(|last| schedule.clock_changes(after, *last)).unwrap_or_default();
    let local = |at: Timestamp| at.in_zone(schedule.zone()).unwrap_or_else(|| at.to_string());
    Ok(Preview {
        description: schedule.describe(),
        timezone: schedule.zone().to_owned(),
        times: times.into_iter().map(|at| PreviewTime { at, local: local(at) }).collect(),
        clock_changes: changes.into_iter().map(|change| PreviewChange { at: change.at, text: change.text }).collect(),
    })
}

async fn of_trigger(client: &Client, reference: &str, after: Timestamp, count: usize) -> Result<Preview> {
    let id = text(&find(client, reference).await?, "id");
    let mut found: Option<Preview> = None;
    let mut after = after;
    loop {
        let received = found.as_ref().map_or(0, |preview| preview.times.len());
        let page_size = (count - received).min(PAGE);
        let query = format!("{ROUTE}/{id}/next?count={page_size}&after={}", encoded(&after.to_string()));
        let page: Preview = serde_json::from_value(client.get(&query).await?)
            .map_err(|error| Failure::new(proto::Code::Internal, "cannot read the hub's response").because(&error))?;
        let is_last = page.times.len() < page_size || received + page_size == count;
        after = page.times.last().map_or(after, |last| last.at);
        let whole = match found.take() {
            None => page,
            Some(mut whole) => {
                whole.times.extend(page.times);
                whole.clock_changes.extend(page.clock_changes);
                whole
            }
        };
        if is_last {
            return Ok(whole);
        }
        found = Some(whole);
    }
}

fn show(globals: &Globals, preview: &Preview, here: Option<&str>) -> Result<()> {
    let globals = &Globals { filter: None, ..globals.clone() };
    if !is_table(globals) {
        let times = preview.times.iter().map(|time| json!({"at": time.at})).collect();
        return output::list(globals, times, "at", &[]);
    }
    messages::note(globals, format!("{} in {}", preview.description, preview.timezone));
    if preview.times.is_empty() {
        messages::note(globals, "no further times: the trigger is disabled, has ended, or its last time has passed");
        return Ok(());
    }
    let (now, here) = (runtime::clock::wall(), zone_or_local(here));
    let is_terminal = output::is_terminal();
    let row = |time: &PreviewTime| -> Value {
        let local = if is_terminal { time.at.format_in(&preview.timezone) } else { offset_only(&time.local) };
        let is_same = here == preview.timezone;
        let there = if is_same { None } else { time.at.format_in(&here) };
        json!({"at": time.at, "local": local, "here": there, "in": relative(time.at, now)})
    };
    output::list(
        globals,
        preview.times.iter().map(row).collect(),
        "at",
        if is_terminal { TERMINAL_COLUMNS } else { PIPE_COLUMNS },
    )?;
    for change in &preview.clock_changes {
        let day = change.at.format_in(&preview.timezone).unwrap_or_else(|| change.at.to_string());
        messages::note(globals, format!("clock change {day}: {}", change.text));
    }
    Ok(())
}

/// The time in RFC 3339, without the name of its zone in brackets.
fn offset_only(local: &str) -> Option<String> {
    local.split('[').next().map(str::to_owned)
}
