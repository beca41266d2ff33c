//! `hostler trigger apply`: creates the triggers of files, or updates existing ones with the same label.

use std::{path::Path, process::ExitCode};

use domain::{schedule::Schedule, trigger::FanOut};
use proto::api::trigger::TriggerRequest;
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::{
    super::files::{self, FilesArgs},
    ROUTE,
};
use crate::{
    cli::Globals,
    client::Client,
    fail::{CHANGES_PENDING, Failure, Result},
    output::text,
    say,
};

/// A trigger from a file.
struct Wanted {
    label: String,
    /// The fields as written in the file.
    fields: Map<String, Value>,
    /// The fields in normalized form, for comparison with the hub's trigger.
    plain: Map<String, Value>,
}

pub(super) async fn apply(globals: &Globals, args: &FilesArgs) -> Result<ExitCode> {
    let mut wanted: Vec<Wanted> = Vec::new();
    for (path, value) in files::read(args, "trigger")? {
        let one = read(&path, value)?;
        if wanted.iter().any(|other| other.label == one.label) {
            let detail = format!("{}: there are two triggers with the label `{}`", path.display(), one.label);
            return Err(Failure::usage(detail).hint("labels in these files must be unique"));
        }
        wanted.push(one);
    }
    let client = Client::new(globals)?;
    let known = client.list(ROUTE).await?;
    let mut has_changes = false;
    for one in wanted {
        let same: Vec<&Value> = known.iter().filter(|trigger| text(trigger, "label") == one.label).collect();
        has_changes |= match same.as_slice() {
            [] => make(globals, &client, &one).await?,
            [trigger] => change(globals, &client, &one, trigger).await?,
            several => {
                let label = &one.label;
                return Err(Failure::usage(format!("the hub has {} triggers with the label `{label}`", several.len()))
                    .hint("rename all but one with `hostler trigger edit ID --label NAME`"));
            }
        };
    }
    Ok(if globals.dry_run && has_changes { ExitCode::from(CHANGES_PENDING) } else { ExitCode::SUCCESS })
}

/// Parses a trigger from a file and validates what can be validated without a hub.
fn read(path: &Path, value: Value) -> Result<Wanted> {
    let wrong = |what: &dyn std::fmt::Display| Failure::usage(format!("{}: {what}", path.display()));
    let Value::Object(fields) = value else { return Err(wrong(&"a trigger must be a table of fields")) };
    let request: TriggerRequest =
        serde_json::from_value(Value::Object(fields.clone())).map_err(|error| wrong(&error))?;
    let label = request.label.clone().ok_or_else(|| wrong(&"a trigger needs a label"))?;
    if let Some(expression) = &request.cron_expr {
        let zone = request.timezone.as_deref().unwrap_or("UTC");
        let read = Schedule::parse(expression, zone, &label, runtime::clock::wall());
        read.map_err(|refused| wrong(&format!("{label}: {refused}")))?;
    }
    Ok(Wanted { label, fields, plain: plain(request) })
}

async fn make(globals: &Globals, client: &Client, wanted: &Wanted) -> Result<bool> {
    if !globals.dry_run {
        client.send(Method::POST, &client.path(ROUTE), Some(&wanted.fields)).await?;
    }
    say::note(globals, format!("+ {}", wanted.label));
    Ok(true)
}

/// Updates the fields that differ. Fields that are not in the file keep their values.
async fn change(globals: &Globals, client: &Client, wanted: &Wanted, known: &Value) -> Result<bool> {
    let known_plain = plain_of(known);
    let differs = |name: &&String| wanted.plain.get(*name) != known_plain.get(*name);
    let names: Vec<&String> = wanted.fields.keys().filter(differs).collect();
    if names.is_empty() {
        say::note(globals, format!("= {} (unchanged)", wanted.label));
        return Ok(false);
    }
    let shown = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), ToString::to_string);
    let changes: Vec<String> = names
        .iter()
        .map(|name| format!("{name} {} → {}", shown(known_plain.get(*name)), shown(wanted.plain.get(*name))))
        .collect();
    if !globals.dry_run {
        let patch: Map<String, Value> =
            names.iter().map(|name| ((*name).clone(), wanted.fields[*name].clone())).collect();
        let path = client.path(&format!("{ROUTE}/{}", text(known, "id")));
        client.send(Method::PATCH, &path, Some(&patch)).await?;
    }
    say::note(globals, format!("~ {}: {}", wanted.label, changes.join(", ")));
    Ok(true)
}

/// The fields of a trigger from the API, in the same normalized form as those of a file.
fn plain_of(shown: &Value) -> Map<String, Value> {
    let fields = shown.as_object().cloned().unwrap_or_default();
    let fields: Map<String, Value> =
        fields.into_iter().filter(|(name, value)| !value.is_null() && !is_only_shown(name)).collect();
    serde_json::from_value(Value::Object(fields)).map(plain).unwrap_or_default()
}

/// Whether a field is read-only, added by the hub.
fn is_only_shown(name: &str) -> bool {
    let added =
        ["id", "description", "is_hosts_own", "created_by", "created_at", "updated_at", "next_fire_at", "last_fire"];
    added.contains(&name)
}

fn plain(mut request: TriggerRequest) -> Map<String, Value> {
    if let Some(target) = request.target.as_mut().filter(|target| target.selector.is_some()) {
        target.spread = target.spread.or(Some(FanOut::Any));
    }
    match json!(request) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
