//! Conversion from the request form of a server to its stored body, with checks.

use domain::{
    OrgId, Permission, ServerId,
    argv::{Context, ContextName, OWN_PROGRAM},
    server::Server as Body,
};
use proto::Code;
use serde_json::{Map, Value, json};
use store::host::HostView;

use super::super::RequestContext;
use crate::{Error, Hub, Result, app::jobs::checked_payload};

/// Applies a patch to a server's form. A named field is replaced as a whole; null removes it.
pub(super) fn patched(body: &Body, patch: Map<String, Value>) -> Result<Map<String, Value>> {
    let mut form = match serde_json::to_value(body) {
        Ok(Value::Object(form)) => form,
        _ => Map::new(),
    };
    // `argv` and `definition_key` exclude each other, so a patch with one removes the other.
    let asks = |field: &str| patch.get(field).is_some_and(|value| !value.is_null());
    if asks("argv") {
        form.remove("definition_key");
        form.remove("payload");
    }
    if asks("definition_key") || asks("payload") {
        form.remove("argv");
    }
    form.extend(patch);
    form.retain(|_, value| !value.is_null());
    Ok(form)
}

/// Builds and checks the stored body. A custom command, another user and a ready check by command need a super admin,
/// because they run anything on the host; other callers can only use definitions, which a super admin has written.
pub(super) async fn body_of(
    hub: &Hub,
    by: &RequestContext,
    org: OrgId,
    (id, host): (ServerId, &HostView),
    form: Map<String, Value>,
    before: Option<&Body>,
) -> Result<Body> {
    let has_argv = form.get("argv").is_some_and(|argv| !argv.is_null());
    let mut body: Body = serde_json::from_value(Value::Object(form)).map_err(|error| {
        Error::new(Code::InvalidValue, format!("invalid server: {error}"))
            .hint("`hostler server create --help` shows the fields")
    })?;
    match &body.definition_key {
        Some(key) => {
            if has_argv && before.is_none_or(|before| before.argv != body.argv) {
                return Err(Error::invalid("give either `argv` or `definition_key`, not both"));
            }
            body.argv = rendered(hub, org, (id, host), key, &body.payload).await?;
        }
        None => {
            if before.is_none_or(|before| before.argv != body.argv) {
                must_trust(by, "a server with a custom command")?;
            }
        }
    }
    if body.user.is_some() && before.is_none_or(|before| before.user != body.user) {
        must_trust(by, "a server that runs as another user")?;
    }
    let check = matches!(body.ready.check, domain::server::ReadyCheck::Command { .. });
    if check && before.is_none_or(|before| before.ready != body.ready) {
        must_trust(by, "a ready check that runs a command")?;
    }
    match body.check() {
        Ok(()) => Ok(body),
        Err(faults) => {
            let first = faults.first().map(ToString::to_string).unwrap_or_default();
            Err(Error::invalid(format!("invalid server: {first}")).faults(faults))
        }
    }
}

fn must_trust(by: &RequestContext, what: &str) -> Result<()> {
    by.must(Permission::Installation)
        .map_err(|error| error.hint(format!("{what} needs a super admin; use a definition instead: hostler def list")))
}

/// Renders a definition with a payload to the command of a server.
async fn rendered(
    hub: &Hub,
    org: OrgId,
    (id, host): (ServerId, &HostView),
    key: &str,
    payload: &Value,
) -> Result<Vec<String>> {
    let slug = hub.org_slug(org).await?;
    let compiled = hub.definition_for(&slug, key).await?;
    let definition = &compiled.definition;
    if !definition.secrets.is_empty() || compiled.schema.has_write_only() {
        let detail = format!("the definition `{key}` uses secrets, which servers do not receive");
        return Err(Error::invalid(detail).hint("let the server read them from a file on its host"));
    }
    if domain::server::ServerOp::of_key(key).is_some() {
        return Err(Error::invalid("a definition that starts or stops servers cannot be used for a server"));
    }
    let payload = if payload.is_null() { json!({}) } else { payload.clone() };
    let payload = checked_payload(&compiled, &payload)?;
    let context = Context::default()
        .with(ContextName::OrgId, org.to_string())
        .with(ContextName::OrgSlug, slug.to_string())
        .with(ContextName::HostName, host.host.name.clone())
        .with(ContextName::ServerId, id.to_string());
    let argv = definition.argv.render(&payload, &context).map_err(|faults| {
        let first = faults.first().map(ToString::to_string).unwrap_or_default();
        Error::invalid(format!("the definition `{key}` cannot be used for a server: {first}"))
    })?;
    if argv.first().is_some_and(|program| program == OWN_PROGRAM) {
        return Err(Error::invalid(format!(
            "the definition `{key}` runs an internal Hostler command and cannot be used for a server"
        )));
    }
    Ok(argv)
}
