//! Conversion from the request form of a server to its stored body, with checks.

use domain::{
    OrgId, Permission, ServerId,
    argv::{Context, ContextName, OWN_PROGRAM},
    schema::Violation,
    server::{Restricted, Server as Body, restricted},
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

/// Builds and checks the stored body. Settings that can run anything on the host need a super admin, see
/// [`restricted`]; other callers can only use definitions, which a super admin has written, and set the variables that
/// these list.
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
    let mut settable = Vec::new();
    if let Some(key) = &body.definition_key {
        if has_argv && before.is_none_or(|before| before.argv != body.argv) {
            return Err(Error::invalid("give either `argv` or `definition_key`, not both"));
        }
        (body.argv, settable) = rendered(hub, org, (id, host), key, &body.payload).await?;
    }
    for what in restricted(before, &body, &settable) {
        must_trust(by, &body, &what, &settable)?;
    }
    match body.check() {
        Ok(()) => Ok(body),
        Err(faults) => {
            let first = faults.first().map(ToString::to_string).unwrap_or_default();
            Err(Error::invalid(format!("invalid server: {first}")).faults(faults))
        }
    }
}

fn must_trust(by: &RequestContext, body: &Body, what: &Restricted, settable: &[String]) -> Result<()> {
    by.must(Permission::Installation).map_err(|error| {
        let what = match what {
            Restricted::Command => "a server with a custom command",
            Restricted::User => "a server that runs as another user",
            Restricted::ReadyCommand => "a ready check that runs a command",
            Restricted::Folder => "a working directory other than the server's own",
            Restricted::Env(names) => return not_settable(body, names, settable),
        };
        error.hint(format!("{what} needs a super admin; use a definition instead: hostler def list"))
    })
}

/// The rejection of environment variables that the definition does not let its users set.
fn not_settable(body: &Body, names: &[String], settable: &[String]) -> Error {
    let listed = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let (detail, hint) = match &body.definition_key {
        None => (
            format!("changing {} of a server with a custom command needs a super admin", listed(names)),
            "ask a super admin of this hub, or use a definition instead: hostler def list".to_owned(),
        ),
        Some(key) => {
            let may = match settable {
                [] => "it lets them set none".to_owned(),
                names => format!("it lets them set {}", listed(names)),
            };
            (
                format!("the definition `{key}` does not let its users set {}; {may}", listed(names)),
                format!("ask a super admin to add the names to `env_settable` of `{key}`, or to edit the server"),
            )
        }
    };
    let fault = |name: &String| Violation::new(format!("/env/{name}"), "needs a super admin");
    Error::new(Code::Forbidden, detail).hint(hint).faults(names.iter().map(fault))
}

/// Renders a definition with a payload to the command of a server. Also returns the variables that its users may set.
async fn rendered(
    hub: &Hub,
    org: OrgId,
    (id, host): (ServerId, &HostView),
    key: &str,
    payload: &Value,
) -> Result<(Vec<String>, Vec<String>)> {
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
    Ok((argv, definition.env_settable.clone()))
}
