//! The options that describe a trigger, and the fields they stand for.

use clap::Args;
use domain::{
    Span,
    trigger::{FiresAt, MissedPolicy, Overlap},
};
use serde_json::{Map, Value, json};

use super::super::run::{as_wanted, moment, object, payload};
use crate::{
    client::Client,
    fail::{Failure, Result},
};

/// What takes a value away.
const NONE: &str = "none";

/// A trigger
#[derive(Args)]
pub(crate) struct FormArgs {
    /// Values of the payload: NAME=VALUE, or NAME:=JSON; slots such as {{ event.folder }} are filled at each fire
    values: Vec<String>,
    /// What people call it
    #[arg(long)]
    label: Option<String>,
    /// What it runs; `hostler def list` shows what there is
    #[arg(long, value_name = "KEY")]
    def: Option<String>,
    /// When: the five fields of cron, as in '0 2 * * *', or @daily
    #[arg(long, value_name = "EXPR", conflicts_with_all = ["every", "on_event"], help_heading = "When")]
    cron: Option<String>,
    /// Again and again after this long, as in 15m
    #[arg(long, value_name = "LENGTH", conflicts_with = "on_event", help_heading = "When")]
    every: Option<String>,
    /// The zone its hours are in, as in Europe/Berlin; the org's unless said
    #[arg(long, value_name = "ZONE", help_heading = "When")]
    tz: Option<String>,
    /// Begin up to this much later, spread evenly
    #[arg(long, value_name = "LENGTH", help_heading = "When")]
    jitter: Option<String>,
    /// No fires before: a time or a length from now; `none` takes it away
    #[arg(long, value_name = "TIME", help_heading = "When")]
    starts_at: Option<String>,
    /// No fires after: a time or a length from now; `none` takes it away
    #[arg(long, value_name = "TIME", help_heading = "When")]
    ends_at: Option<String>,
    /// When an event of this name happens
    #[arg(long, value_name = "NAME", help_heading = "On events")]
    on_event: Option<String>,
    /// Only if its fields are so: JSON as in '{"size": {"gt": 100}}', or @file
    #[arg(long = "match", value_name = "JSON", help_heading = "On events")]
    fields: Option<String>,
    /// For this long the same event makes no second job; 5m unless said
    #[arg(long, value_name = "LENGTH", help_heading = "On events")]
    dedupe_window: Option<String>,
    /// What makes two events the same, as in 'sync:{{ event.folder }}'; `none` takes it away
    #[arg(long, value_name = "TEMPLATE", help_heading = "On events")]
    dedupe_key: Option<String>,
    /// The whole payload: JSON, a file as in @payload.json, or - for stdin
    #[arg(long, value_name = "JSON", help_heading = "What")]
    payload: Option<String>,
    /// Lower runs first
    #[arg(long, allow_negative_numbers = true, help_heading = "What")]
    priority: Option<i32>,
    /// On this host
    #[arg(long, value_name = "HOST", conflicts_with_all = ["labels", "queue"], help_heading = "Where")]
    on: Option<String>,
    /// On any host that serves this queue
    #[arg(long, conflicts_with = "labels", help_heading = "Where")]
    queue: Option<String>,
    /// On a host whose labels match, as in env=prod
    #[arg(short = 'l', long = "labels", value_name = "SELECTOR", help_heading = "Where")]
    labels: Option<String>,
    /// With -l: on each host that matches, not on any one of them
    #[arg(long, requires = "labels", help_heading = "Where")]
    each: bool,
    /// Where its definition says
    #[arg(long, conflicts_with_all = ["on", "queue", "labels"], help_heading = "Where")]
    anywhere: bool,
    /// Where it fires: hub, or host to fire there also when the hub is away
    #[arg(long, value_name = "hub|host", help_heading = "Where")]
    place: Option<String>,
    /// Times nobody could act on: skip, once (one job for all of them) or all
    #[arg(long, value_name = "skip|once|all", help_heading = "Policies")]
    missed: Option<String>,
    /// How many jobs `all` makes at most
    #[arg(long, value_name = "N", help_heading = "Policies")]
    missed_max: Option<u32>,
    /// Times further back are not made up for, as in 7d
    #[arg(long, value_name = "LENGTH", help_heading = "Policies")]
    missed_window: Option<String>,
    /// While an earlier job is not over: allow, forbid, replace or queue_one
    #[arg(long, value_name = "allow|forbid|replace|queue_one", help_heading = "Policies")]
    overlap: Option<String>,
    /// Make it, but switched off
    #[arg(long, help_heading = "Policies")]
    disabled: bool,
}

impl FormArgs {
    /// Makes texts of what looked like something else, where its definition wants texts.
    pub(super) async fn settle(&self, client: &Client, body: &mut Value) {
        as_wanted(client, self.def.as_deref(), &self.values, body.get_mut("payload_template")).await;
    }

    /// The fields of a new trigger.
    pub(super) fn whole(&self) -> Result<Value> {
        if self.label.is_none() || self.def.is_none() {
            return Err(Failure::usage("a trigger needs a label and what it runs").hint("add --label NAME --def KEY"));
        }
        if self.cron.is_none() && self.every.is_none() && self.on_event.is_none() {
            return Err(Failure::usage("when does it fire?").hint("add --cron EXPR, --every LENGTH or --on-event NAME"));
        }
        Ok(Value::Object(self.fields()?.into_iter().filter(|(_, value)| !value.is_null()).collect()))
    }

    /// The fields that are named.
    pub(super) fn fields(&self) -> Result<Map<String, Value>> {
        let mut fields = Fields(Map::new());
        fields.put("label", self.label.as_ref().map(|label| json!(label)));
        fields.put("definition_key", self.def.as_ref().map(|key| json!(key)));
        fields.put("cron_expr", self.cron_expr().map(|expression| json!(expression)));
        fields.put("timezone", self.tz.as_ref().map(|zone| json!(zone)));
        fields.put("event_name", self.on_event.as_ref().map(|name| json!(name)));
        fields.put("match", self.fields.as_deref().map(|given| object("match", given)).transpose()?.map(Value::Object));
        let is_payload = self.payload.is_some() || !self.values.is_empty();
        fields.put("payload_template", is_payload.then(|| payload(&self.values, self.payload.as_deref())).transpose()?);
        fields.put("dedupe_key", self.dedupe_key.as_deref().map(or_null));
        fields.put("dedupe_window_seconds", seconds(self.dedupe_window.as_deref())?);
        fields.put("target", self.target());
        fields.put("place", word::<FiresAt>("place", self.place.as_deref())?);
        fields.put("missed", word::<MissedPolicy>("missed", self.missed.as_deref())?);
        fields.put("missed_max", self.missed_max.map(|count| json!(count)));
        fields.put("missed_window_seconds", seconds(self.missed_window.as_deref())?);
        fields.put("overlap", word::<Overlap>("overlap", self.overlap.as_deref())?);
        fields.put("jitter", seconds(self.jitter.as_deref())?);
        fields.put("starts_at", time(self.starts_at.as_deref())?);
        fields.put("ends_at", time(self.ends_at.as_deref())?);
        fields.put("priority", self.priority.map(|priority| json!(priority)));
        fields.put("is_enabled", self.disabled.then_some(Value::Bool(false)));
        Ok(fields.0)
    }

    fn cron_expr(&self) -> Option<String> {
        self.cron.clone().or_else(|| self.every.as_ref().map(|length| format!("@every {length}")))
    }

    fn target(&self) -> Option<Value> {
        let spread = if self.each { "each" } else { "any" };
        match (&self.on, &self.queue, &self.labels) {
            (Some(host), _, _) => Some(json!({"host": host})),
            (_, Some(queue), _) => Some(json!({"queue": queue})),
            (_, _, Some(selector)) => Some(json!({"selector": selector, "spread": spread})),
            _ => self.anywhere.then_some(Value::Null),
        }
    }
}

struct Fields(Map<String, Value>);

impl Fields {
    fn put(&mut self, name: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.0.insert(name.to_owned(), value);
        }
    }
}

fn or_null(given: &str) -> Value {
    if given == NONE { Value::Null } else { json!(given) }
}

fn time(given: Option<&str>) -> Result<Option<Value>> {
    match given {
        None => Ok(None),
        Some(NONE) => Ok(Some(Value::Null)),
        Some(given) => moment(given).map(|at| Some(json!(at))),
    }
}

fn seconds(given: Option<&str>) -> Result<Option<Value>> {
    let Some(given) = given else { return Ok(None) };
    if given == NONE {
        return Ok(Some(Value::Null));
    }
    let span: Span = given.parse().map_err(|error: domain::time::NotASpan| Failure::usage(error.to_string()))?;
    Ok(Some(json!(u32::try_from(span.as_millis() / 1_000).unwrap_or(u32::MAX))))
}

/// One of a closed list of words.
fn word<W: std::str::FromStr + serde::Serialize>(option: &str, given: Option<&str>) -> Result<Option<Value>>
where
    W::Err: std::fmt::Display,
{
    let Some(given) = given else { return Ok(None) };
    let word: W = given.parse().map_err(|error: W::Err| Failure::usage(format!("--{option}: {error}")))?;
    Ok(Some(json!(word)))
}
