//! The options that describe a trigger, and their API fields.

use clap::Args;
use domain::trigger::{FiresAt, MissedPolicy, Overlap};
use serde_json::{Map, Value, json};

use crate::{
    client::Client,
    cmd::run::payload::{self, object},
    fail::{Failure, Result},
    parse::{self, NONE},
};

/// Options of `hostler trigger create` and `edit`
#[derive(Args)]
pub(crate) struct FormArgs {
    /// Payload values: NAME=VALUE, or NAME:=JSON; templates such as {{ event.folder }} are expanded at each fire
    values: Vec<String>,
    /// Label of the trigger
    #[arg(long)]
    label: Option<String>,
    /// Key of the definition to run; see `hostler def list`
    #[arg(long, value_name = "KEY")]
    def: Option<String>,
    /// Cron expression with five fields, for example '0 2 * * *', or @daily
    #[arg(long, value_name = "EXPR", conflicts_with_all = ["every", "on_event"], help_heading = "Schedule")]
    cron: Option<String>,
    /// Interval, for example 15m
    #[arg(long, value_name = "DURATION", conflicts_with = "on_event", help_heading = "Schedule")]
    every: Option<String>,
    /// Time zone of the cron expression, for example Europe/Berlin [default: the org's time zone]
    #[arg(long, value_name = "ZONE", help_heading = "Schedule")]
    tz: Option<String>,
    /// Maximum random delay of each start
    #[arg(long, value_name = "DURATION", help_heading = "Schedule")]
    jitter: Option<String>,
    /// Do not fire before this: a time, a duration from now, or `none`
    #[arg(long, value_name = "TIME", help_heading = "Schedule")]
    starts_at: Option<String>,
    /// Do not fire after this: a time, a duration from now, or `none`
    #[arg(long, value_name = "TIME", help_heading = "Schedule")]
    ends_at: Option<String>,
    /// Fire on events with this name
    #[arg(long, value_name = "NAME", help_heading = "Events")]
    on_event: Option<String>,
    /// Only if the event data matches this JSON, for example '{"size": {"gt": 100}}', or @file
    #[arg(long = "match", value_name = "JSON", help_heading = "Events")]
    fields: Option<String>,
    /// Create no second job for the same event within this duration [default: 5m]
    #[arg(long, value_name = "DURATION", help_heading = "Events")]
    dedupe_window: Option<String>,
    /// Template of the key that identifies equal events, for example 'sync:{{ event.folder }}', or `none`
    #[arg(long, value_name = "TEMPLATE", help_heading = "Events")]
    dedupe_key: Option<String>,
    /// Complete payload: JSON, a file as @payload.json, or - for stdin
    #[arg(long, value_name = "JSON", help_heading = "Job")]
    payload: Option<String>,
    /// Priority; lower numbers run first
    #[arg(long, allow_negative_numbers = true, help_heading = "Job")]
    priority: Option<i32>,
    /// Run on this host
    #[arg(long, value_name = "HOST", conflicts_with_all = ["labels", "queue"], help_heading = "Target")]
    on: Option<String>,
    /// Run on any host that serves this queue
    #[arg(long, conflicts_with = "labels", help_heading = "Target")]
    queue: Option<String>,
    /// Run on a host whose labels match, for example env=prod
    #[arg(short = 'l', long = "labels", value_name = "SELECTOR", help_heading = "Target")]
    labels: Option<String>,
    /// With -l: run on each matching host instead of any one of them
    #[arg(long, requires = "labels", help_heading = "Target")]
    each: bool,
    /// Run where the definition says
    #[arg(long, conflicts_with_all = ["on", "queue", "labels"], help_heading = "Target")]
    anywhere: bool,
    /// Where the trigger is evaluated: hub, or host so that it also fires while the hub is unreachable
    #[arg(long, value_name = "hub|host", help_heading = "Target")]
    place: Option<String>,
    /// Missed times: skip, once (one job for all of them) or all
    #[arg(long, value_name = "skip|once|all", help_heading = "Policies")]
    missed: Option<String>,
    /// Maximum number of jobs with --missed all
    #[arg(long, value_name = "N", help_heading = "Policies")]
    missed_max: Option<u32>,
    /// Oldest missed time that is caught up, for example 7d
    #[arg(long, value_name = "DURATION", help_heading = "Policies")]
    missed_window: Option<String>,
    /// While an earlier job has not ended: allow, forbid, replace or queue_one
    #[arg(long, value_name = "allow|forbid|replace|queue_one", help_heading = "Policies")]
    overlap: Option<String>,
    /// Create the trigger disabled
    #[arg(long, help_heading = "Policies")]
    disabled: bool,
}

impl FormArgs {
    /// Converts payload values to strings where the definition's schema requires a string.
    pub(super) async fn coerce_payload(&self, client: &Client, body: &mut Value) {
        payload::coerce_payload(client, self.def.as_deref(), &self.values, body.get_mut("payload_template")).await;
    }

    /// The fields of a new trigger.
    pub(super) fn whole(&self) -> Result<Value> {
        if self.label.is_none() || self.def.is_none() {
            return Err(Failure::usage("a trigger needs a label and a definition").hint("add --label NAME --def KEY"));
        }
        if self.cron.is_none() && self.every.is_none() && self.on_event.is_none() {
            return Err(Failure::usage("a trigger needs a schedule or an event")
                .hint("add --cron EXPR, --every DURATION or --on-event NAME"));
        }
        Ok(Value::Object(self.fields()?.into_iter().filter(|(_, value)| !value.is_null()).collect()))
    }

    /// The given fields.
    pub(super) fn fields(&self) -> Result<Map<String, Value>> {
        let mut fields = Fields(Map::new());
        fields.put("label", self.label.as_ref().map(|label| json!(label)));
        fields.put("definition_key", self.def.as_ref().map(|key| json!(key)));
        fields.put("cron_expr", self.cron_expr().map(|expression| json!(expression)));
        fields.put("timezone", self.tz.as_ref().map(|zone| json!(zone)));
        fields.put("event_name", self.on_event.as_ref().map(|name| json!(name)));
        fields
            .put("match", self.fields.as_deref().map(|source| object("match", source)).transpose()?.map(Value::Object));
        let has_payload = self.payload.is_some() || !self.values.is_empty();
        fields.put(
            "payload_template",
            has_payload.then(|| payload::payload(&self.values, self.payload.as_deref())).transpose()?,
        );
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

fn or_null(text: &str) -> Value {
    if text == NONE { Value::Null } else { json!(text) }
}

fn time(text: Option<&str>) -> Result<Option<Value>> {
    text.map(|text| parse::none_or(text, parse::future_time).map(|at| json!(at))).transpose()
}

fn seconds(text: Option<&str>) -> Result<Option<Value>> {
    text.map(|text| parse::none_or(text, parse::seconds).map(|seconds| json!(seconds))).transpose()
}

/// Parses an option whose value is one of a fixed list.
fn word<W: std::str::FromStr + serde::Serialize>(option: &str, text: Option<&str>) -> Result<Option<Value>>
where
    W::Err: std::fmt::Display,
{
    let Some(text) = text else { return Ok(None) };
    let word: W = text.parse().map_err(|error: W::Err| Failure::usage(format!("--{option}: {error}")))?;
    Ok(Some(json!(word)))
}
