//! HTTP client of a hub: over its local socket on the same machine, or over TCP with a token.

use std::{path::Path, process::ExitCode, time::Duration};

use domain::secret::{Secret, SecretKind};
use proto::{Code, Problem};
use reqwest::Method;
use serde::Serialize;
use serde_json::Value;

use crate::{
    context::Contexts,
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    home, messages,
    output::plural,
    parse,
};

/// A connection to a hub with the caller's token and org.
pub(crate) struct Client {
    http: reqwest::Client,
    base: String,
    token: Option<String>,
    org: Option<String>,
    is_dry: bool,
    /// The hub's name in messages.
    pub(crate) name: String,
}

/// The outcome of a write.
pub(crate) enum WriteOutcome {
    /// The response body.
    Answer(Value),
    /// `--dry-run`: the request was printed, not sent.
    DryRun,
}

impl WriteOutcome {
    /// Prints a message about the response, or exits with 20 after a dry run.
    pub(crate) fn report(self, globals: &Globals, message: impl FnOnce(&Value) -> String) -> Result<ExitCode> {
        match self {
            Self::Answer(answer) => {
                messages::done(globals, message(&answer));
                Ok(ExitCode::SUCCESS)
            }
            Self::DryRun => Ok(ExitCode::from(CHANGES_PENDING)),
        }
    }
}

impl Client {
    /// Chooses the hub from flag, environment, context and local socket, in this order.
    pub(crate) fn new(globals: &Globals) -> Result<Self> {
        let contexts = Contexts::read()?;
        let chosen = globals.context.as_ref().or(contexts.current.as_ref().filter(|_| globals.hub.is_none()));
        let context = chosen.map(|name| contexts.get(name)).transpose()?;
        let hub = globals.hub.clone().or_else(|| context.map(|context| context.hub.clone()));
        // A context's token is sent to the hub of that context only.
        let own = context.filter(|context| hub.as_deref() == Some(context.hub.as_str()));
        // Inside a run HOSTLER_TOKEN holds the token of the run, which only the local runner accepts.
        let is_of_run = |token: &str| Secret::parse(SecretKind::Run, token).is_ok();
        let explicit = globals.api_token.clone().filter(|token| !is_of_run(token));
        let token = explicit.or_else(|| own.and_then(|context| context.token.clone()));
        let org = globals.org.clone().or_else(|| context.and_then(|context| context.org.clone()));
        match hub {
            Some(hub) if hub.is_empty() => {
                Err(Failure::usage("--hub needs an address").hint("write for example --hub http://10.0.0.5:7411"))
            }
            Some(hub) => Self::at(globals, &hub, token, org),
            None => Self::local(globals, token, org),
        }
    }

    /// A client of the hub at an address.
    pub(crate) fn at(globals: &Globals, hub: &str, token: Option<String>, org: Option<String>) -> Result<Self> {
        runner::dial::HubUrl::parse(hub)?;
        let http = builder(globals)?
            .build()
            .map_err(|error| Failure::new(Code::Internal, "cannot create an HTTP client").because(&error))?;
        Ok(Self {
            http,
            base: hub.trim_end_matches('/').to_owned(),
            token,
            org,
            is_dry: globals.dry_run,
            name: hub.to_owned(),
        })
    }

    /// A client of the hub on this machine. A token, if given, still determines the caller.
    fn local(globals: &Globals, token: Option<String>, org: Option<String>) -> Result<Self> {
        let folder = home::folder(globals.home.as_deref());
        let socket = home::socket(&folder);
        if !socket.exists() {
            return Err(no_hub(&folder.join("hub.sock")));
        }
        let http = builder(globals)?.unix_socket(socket.clone()).build();
        let http =
            http.map_err(|error| Failure::new(Code::Internal, "cannot create an HTTP client").because(&error))?;
        Ok(Self {
            http,
            base: "http://localhost".to_owned(),
            token,
            org,
            is_dry: globals.dry_run,
            name: format!("the hub at {}", socket.display()),
        })
    }

    /// The full path of an org's route: under the org of `--org` if given, else of the caller's own org.
    pub(crate) fn path(&self, path: &str) -> String {
        match &self.org {
            Some(org) if path == "/org" => format!("/api/v1/orgs/{org}"),
            Some(org) => format!("/api/v1/orgs/{org}{path}"),
            None => format!("/api/v1{path}"),
        }
    }

    /// Sends a GET request to a route of the org.
    pub(crate) async fn get(&self, path: &str) -> Result<Value> {
        self.send(Method::GET, &self.path(path), None::<&()>).await
    }

    /// Reads all pages of a list of the org.
    pub(crate) async fn list(&self, path: &str) -> Result<Vec<Value>> {
        self.all(&self.path(path)).await
    }

    /// Reads all pages of a list at an absolute path.
    pub(crate) async fn all(&self, path: &str) -> Result<Vec<Value>> {
        let (mut items, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let mark = if path.contains('?') { '&' } else { '?' };
            let page = cursor.as_ref().map(|cursor| format!("&cursor={}", encoded(cursor))).unwrap_or_default();
            let mut answer = self.send(Method::GET, &format!("{path}{mark}limit=1000{page}"), None::<&()>).await?;
            if let Some(Value::Array(rows)) = answer.get_mut("items").map(Value::take) {
                items.extend(rows);
            }
            cursor = answer.get("next").and_then(Value::as_str).map(str::to_owned);
            if cursor.is_none() {
                return Ok(items);
            }
        }
    }

    /// Sends a write to a route of the org; with `--dry-run` prints the request instead.
    pub(crate) async fn write(
        &self,
        globals: &Globals,
        method: Method,
        path: &str,
        body: Option<&impl Serialize>,
    ) -> Result<WriteOutcome> {
        self.write_at(globals, method, &self.path(path), body).await
    }

    /// Sends a write to an absolute path; with `--dry-run` prints the request instead.
    pub(crate) async fn write_at(
        &self,
        globals: &Globals,
        method: Method,
        path: &str,
        body: Option<&impl Serialize>,
    ) -> Result<WriteOutcome> {
        if self.is_dry {
            let body = body.map(|body| serde_json::to_string(body).unwrap_or_default()).unwrap_or_default();
            messages::note(globals, format!("would send {method} {path} {body}"));
            return Ok(WriteOutcome::DryRun);
        }
        self.send(method, path, body).await.map(WriteOutcome::Answer)
    }

    /// Opens an event stream on a route of the org. `--timeout` does not apply, because a stream does not end.
    pub(crate) async fn stream(&self, path: &str) -> Result<reqwest::Response> {
        let mut request = self.http.get(format!("{}{}", self.base, self.path(path)));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let request = request.header("accept", "text/event-stream").timeout(Duration::from_secs(365 * 86_400));
        let response = request.send().await.map_err(|error| {
            Failure::new(Code::HubUnreachable, format!("cannot reach {}", self.name))
                .hint("check the address, and that the hub is running")
                .because(&error.without_url())
        })?;
        if response.status().is_success() {
            return Ok(response);
        }
        let text = response.text().await.unwrap_or_default();
        Err(serde_json::from_str::<Problem>(&text).map(Failure::from).unwrap_or_else(|_| {
            Failure::new(Code::HubUnreachable, format!("the response of {} is not from a Hostler hub", self.name))
                .hint("check the address")
        }))
    }

    /// Sends a request to an absolute path and returns the response body.
    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<&impl Serialize>) -> Result<Value> {
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let unreachable = |error: reqwest::Error| {
            Failure::new(Code::HubUnreachable, format!("cannot reach {}", self.name))
                .hint("check the address, and that the hub is running; `hostler doctor` checks both")
                .because(&error.without_url())
        };
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let text = response.text().await.map_err(unreachable)?;
        if status.is_success() {
            // Some routes answer with text, not JSON.
            return Ok(if text.is_empty() {
                Value::Null
            } else {
                serde_json::from_str(&text).unwrap_or(Value::String(text))
            });
        }
        let problem: Problem = serde_json::from_str(&text).map_err(|_| {
            Failure::new(
                Code::HubUnreachable,
                format!("{} answered {status}, and the response is not from a Hostler hub", self.name),
            )
            .hint("check the address")
        })?;
        Err(with_list_command(problem).into())
    }
}

/// The command that lists the resources of a kind.
const LIST_COMMANDS: &[(&str, &str)] = &[
    ("job", "hostler ps"),
    ("definition", "hostler def list"),
    ("host", "hostler host list"),
    ("server", "hostler server list"),
];

/// Adds the list command of the kind as a hint to a hub's "there is no KIND `NAME`".
fn with_list_command(mut problem: Problem) -> Problem {
    let kind = problem.detail.strip_prefix("there is no ").and_then(|rest| rest.split_once(" `")).map(|(kind, _)| kind);
    let command = LIST_COMMANDS.iter().find(|(listed, _)| kind == Some(*listed));
    if let (Code::NotFound, None, Some((kind, command))) = (problem.code, &problem.hint, command) {
        problem.hint = Some(format!("`{command}` lists the {}", plural(kind)));
    }
    problem
}

fn builder(globals: &Globals) -> Result<reqwest::ClientBuilder> {
    let timeout = parse::span(&globals.timeout)?;
    let user_agent = format!("hostler/{}", proto::VERSION);
    Ok(reqwest::Client::builder()
        .timeout(timeout.to_duration())
        .connect_timeout(Duration::from_secs(5))
        .user_agent(user_agent))
}

fn no_hub(socket: &Path) -> Failure {
    // A job does not see the data folder of its machine.
    if crate::environment::environment("HOSTLER_RUN_ID").is_some() {
        return Failure::new(Code::HubUnreachable, "jobs and servers cannot use the local socket of a hub")
            .hint("call the hub by its address with an API token: --hub URL --api-token TOKEN");
    }
    Failure::new(
        Code::HubUnreachable,
        format!("no hub is running on this machine ({} does not exist)", socket.display()),
    )
    .hint("start a hub with `hostler up`, or choose one with `hostler login URL`, --hub URL or HOSTLER_HUB")
}

/// A percent-encoded query value.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problem_of_an_unknown_resource_names_the_list_command() {
        let hint = |code, detail: &str| with_list_command(Problem::new(code, detail)).hint;
        assert_eq!(hint(Code::NotFound, "there is no job `x`").as_deref(), Some("`hostler ps` lists the jobs"));
        assert_eq!(
            hint(Code::NotFound, "there is no definition `x`").as_deref(),
            Some("`hostler def list` lists the definitions")
        );
        assert_eq!(hint(Code::NotFound, "there is no run `9`"), None);
        assert_eq!(hint(Code::InvalidValue, "there is no host `x`"), None);
    }
}
