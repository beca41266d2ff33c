//! `hostler trigger apply`: creates the triggers of files, or updates existing ones with the same label.

use std::{path::Path, process::ExitCode};

use domain::{schedule::Schedule, trigger::FanOut};
use proto::api::trigger::TriggerRequest;
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::ROUTE;
use crate::{
    client::Client,
    cmd::run::files::{self, FilesArgs},
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    messages,
    output::text,
};

/// A trigger from a file.
struct FileTrigger {
    label: String,
    /// The fields as written in the file.
    fields: Map<String, Value>,
    /// The fields in normalized form, for comparison with the hub's trigger.
    normalized: Map<String, Value>,
}

pub(super) async fn apply(globals: &Globals, args: &FilesArgs) -> Result<ExitCode> {
    let mut triggers: Vec<FileTrigger> = Vec::new();
    for (path, value) in files::read(args, "trigger")? {
        let trigger = read(&path, value)?;
        if triggers.iter().any(|other| other.label == trigger.label) {
            let detail = format!("{}: there are two triggers with the label `{}`", path.display(), trigger.label);
            return Err(Failure::usage(detail).hint("labels in these files must be unique"));
        }
        triggers.push(trigger);
    }
    let client = Client::new(globals)?;
    let existing = client.list(ROUTE).await?;
    let mut has_changes = false;
    for trigger in triggers {
        let same: Vec<&Value> = existing.iter().filter(|other| text(other, "label") == trigger.label).collect();
        has_changes |= match same.as_slice() {
            [] => create(globals, &client, &trigger).await?,
            [current] => change(globals, &client, &trigger, current).await?,
            several => {
                let label = &trigger.label;
                return Err(Failure::usage(format!("the hub has {} triggers with the label `{label}`", several.len()))
                    .hint("rename all but one with `hostler trigger edit ID --label NAME`"));
            }
        };
    }
    Ok(if globals.dry_run && has_changes { ExitCode::from(CHANGES_PENDING) } else { ExitCode::SUCCESS })
}

/// Parses a trigger from a file and validates what can be validated without a hub.
fn read(path: &Path, value: Value) -> Result<FileTrigger> {
    let invalid = |reason: &dyn std::fmt::Display| Failure::usage(format!("{}: {reason}", path.display()));
    let Value::Object(fields) = value else { return Err(invalid(&"a trigger must be a table of fields")) };
    let request: TriggerRequest =
        serde_json::from_value(Value::Object(fields.clone())).map_err(|error| invalid(&error))?;
    let label = request.label.clone().ok_or_else(|| invalid(&"a trigger needs a label"))?;
    if let Some(expression) = &request.cron_expr {
        let zone = request.timezone.as_deref().unwrap_or("UTC");
        let parsed = Schedule::parse(expression, zone, &label, runtime::clock::wall());
        parsed.map_err(|error| invalid(&format!("{label}: {error}")))?;
    }
    Ok(FileTrigger { label, fields, normalized: normalized(request) })
}

async fn create(globals: &Globals, client: &Client, trigger: &FileTrigger) -> Result<bool> {
    if !globals.dry_run {
        client.send(Method::POST, &client.path(ROUTE), Some(&trigger.fields)).await?;
    }
    messages::note(globals, format!("+ {}", trigger.label));
    Ok(true)
}

/// Updates the fields that differ. Fields that are not in the file keep their values.
async fn change(globals: &Globals, client: &Client, trigger: &FileTrigger, current: &Value) -> Result<bool> {
    let normalized_current = normalized_from_api(current);
    let differs = |name: &&String| trigger.normalized.get(*name) != normalized_current.get(*name);
    let names: Vec<&String> = trigger.fields.keys().filter(differs).collect();
    if names.is_empty() {
        messages::note(globals, format!("= {} (unchanged)", trigger.label));
        return Ok(false);
    }
    let text_of = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), ToString::to_string);
    let changes: Vec<String> = names
        .iter()
        .map(|name| {
            let (before, after) = (normalized_current.get(*name), trigger.normalized.get(*name));
            format!("{name} {} → {}", text_of(before), text_of(after))
        })
        .collect();
    if !globals.dry_run {
        let patch: Map<String, Value> =
            names.iter().map(|name| ((*name).clone(), trigger.fields[*name].clone())).collect();
        let path = client.path(&format!("{ROUTE}/{}", text(current, "id")));
        client.send(Method::PATCH, &path, Some(&patch)).await?;
    }
    messages::note(globals, format!("~ {}: {}", trigger.label, changes.join(", ")));
    Ok(true)
}

/// The fields of a trigger from the API, in the same normalized form as those of a file.
fn normalized_from_api(trigger: &Value) -> Map<String, Value> {
    let fields = trigger.as_object().cloned().unwrap_or_default();
    let fields: Map<String, Value> =
        fields.into_iter().filter(|(name, value)| !value.is_null() && !is_read_only(name)).collect();
    serde_json::from_value(Value::Object(fields)).map(normalized).unwrap_or_default()
}

/// Whether a field is read-only, added by the hub.
fn is_read_only(name: &str) -> bool {
    let added =
        ["id", "description", "is_hosts_own", "created_by", "created_at", "updated_at", "next_fire_at", "last_fire"];
    added.contains(&name)
}

fn normalized(mut request: TriggerRequest) -> Map<String, Value> {
    if let Some(target) = request.target.as_mut().filter(|target| target.selector.is_some()) {
        target.spread = target.spread.or(Some(FanOut::Any));
    }
    match json!(request) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
