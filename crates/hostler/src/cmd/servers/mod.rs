//! `hostler server`: servers, the long-lived processes that users start, stop and restart.
//!
//! - `console`: the output of a server
//! - `settings`: the settings of a server in words
//! - `spec`: the command-line options for the settings

mod console;
mod settings;
mod spec;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use proto::api::server::ServerInput;
use reqwest::Method;
use serde_json::{Value, json};

use self::{console::ConsoleArgs, spec::SpecArgs};
use crate::{
    client::{Client, WriteOutcome, encoded},
    cmd::run::{
        follow::{Follow, Style},
        outcome::report_end,
    },
    fail::{CHANGES_PENDING, Result},
    globals::Globals,
    messages,
    output::{self, Column, bytes, column, command_line, joined, percent, text, when, wide, yes_no},
};

/// Manage servers: long-lived processes on hosts
#[derive(Subcommand)]
pub(crate) enum ServerCommand {
    /// List servers with their state
    #[command(alias = "ls")]
    List,
    /// Show a server with its settings
    Show {
        /// Server name or id
        server: String,
    },
    /// Create a server; it is started only with --start
    Create(CreateArgs),
    /// Change the settings of a server; a running process uses them after its next restart
    Edit(EditArgs),
    /// Start a server and wait until it is ready
    Start(ActArgs),
    /// Stop a server and wait until its processes have ended
    Stop(ActArgs),
    /// Restart a server
    Restart(ActArgs),
    /// Kill a server immediately, ahead of its queued jobs; it is not restarted
    Kill {
        /// Server name or id
        server: String,
    },
    /// Write a line to the standard input of a server
    Input {
        /// Server name or id
        server: String,
        /// Text of the line
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        line: Vec<String>,
    },
    /// Show the output of a server
    #[command(alias = "logs")]
    Console(ConsoleArgs),
    /// List the runs of a server, newest first
    Runs {
        /// Server name or id
        server: String,
    },
    /// Move a server to another host: it is stopped on the old host and, if it was running, started on the new one
    Move {
        /// Server name or id
        server: String,
        /// New host
        #[arg(long, value_name = "HOST")]
        to: String,
    },
    /// Remove a server
    Rm {
        /// Server name or id
        server: String,
        /// Stop the server if it is running, and cancel its queued jobs
        #[arg(long)]
        force: bool,
    },
}

/// Options of `hostler server create`
#[derive(Args)]
pub(crate) struct CreateArgs {
    /// Server name
    name: String,
    /// Host that runs the server
    #[arg(long, value_name = "HOST")]
    on: String,
    #[command(flatten)]
    spec: SpecArgs,
    /// Start the server after creating it
    #[arg(long)]
    start: bool,
}

/// Options of `hostler server edit`
#[derive(Args)]
pub(crate) struct EditArgs {
    /// Server name or id
    server: String,
    /// New name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Options of `start`, `stop` and `restart`
#[derive(Args)]
pub(crate) struct ActArgs {
    /// Server name or id
    server: String,
    /// Return immediately instead of waiting for the job to end
    #[arg(long)]
    no_wait: bool,
}

const COLUMNS: &[Column] = &[
    column("NAME", |s| text(s, "name")),
    column("HOST", |s| text(s, "host")),
    column("STATE", state),
    column("SINCE", |s| when(s, "state_at")),
    column("PID", |s| text(s, "pid")),
    column("RESTARTS", |s| text(s, "restarts")),
    column("CPU", |s| percent(s["cpu_percent"].as_f64())),
    column("MEMORY", |s| s["memory_bytes"].as_u64().map(bytes).unwrap_or_default()),
    column("WHY", |s| text(s, "state_reason")),
    wide("RUN", |s| text(s, "run")),
    wide("AUTOSTART", |s| yes_no(s, "spec.autostart")),
    wide("ID", |s| text(s, "id")),
];

const ROWS: &[Column] = &[
    column("NAME", |s| text(s, "name")),
    column("ID", |s| text(s, "id")),
    column("HOST", |s| format!("{} ({})", text(s, "host"), text(s, "host_status"))),
    column("STATE", state),
    column("SINCE", |s| when(s, "state_at")),
    column("WHY", |s| text(s, "state_reason")),
    column("DESIRED STATE", desired_state),
    column("RUN", |s| text(s, "run")),
    column("PID", |s| text(s, "pid")),
    column("STARTED", |s| when(s, "started_at")),
    column("RESTARTS", |s| text(s, "restarts")),
    column("JOB", |s| text(s, "job_id")),
    column("MOVES TO", |s| text(s, "moves_to")),
    column("COMMAND", |s| command_line(&s["spec"]["argv"])),
    column("DEFINITION", |s| text(s, "spec.definition_key")),
    column("FOLDER", |s| text(s, "spec.folder")),
    column("USER", |s| text(s, "spec.user")),
    column("PORTS", |s| joined(&s["spec"]["ports"])),
    column("READY CHECK", |s| settings::ready(&s["spec"]["ready"])),
    column("STOP", |s| settings::stop(&s["spec"]["stop"])),
    column("RESTART", |s| settings::restart(&s["spec"]["restart"])),
    column("AUTOSTART", |s| yes_no(s, "spec.autostart")),
    column("LIMITS", |s| settings::limits(&s["spec"]["caps"])),
    column("LOG", |s| settings::log(&s["spec"]["log"])),
    column("CREATED BY", |s| text(s, "created_by")),
];

const RUNS: &[Column] = &[
    column("RUN", |r| text(r, "no")),
    column("HOST", |r| text(r, "host")),
    column("STATUS", |r| text(r, "status")),
    column("STARTED", |r| when(r, "started_at")),
    column("READY", |r| when(r, "ready_at")),
    column("ENDED", |r| when(r, "finished_at")),
    column("PID", |r| text(r, "pid")),
    column("EXIT", |r| text(r, "exit_code")),
    column("SIGNAL", |r| text(r, "signal")),
    column("WHY", |r| text(r, "error")),
];

/// The state; with a question mark if the host is not connected and the state may be out of date.
fn state(server: &Value) -> String {
    let state = text(server, "state");
    match (server["is_stale"].as_bool(), text(server, "host_status").as_str()) {
        (Some(true), status) => format!("{state}? (host {status})"),
        _ => state,
    }
}

fn desired_state(server: &Value) -> String {
    match text(server, "desired_state").as_str() {
        "up" => "running".to_owned(),
        "down" => "stopped".to_owned(),
        other => other.to_owned(),
    }
}

fn route(server: &str) -> String {
    format!("/servers/{}", encoded(server))
}

pub(crate) async fn server(globals: &Globals, command: ServerCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        ServerCommand::List => output::show_list(globals, "server", "name", COLUMNS, || client.list("/servers")).await,
        ServerCommand::Show { server } => {
            output::one(globals, client.get(&route(&server)).await?, "name", ROWS)?;
            Ok(ExitCode::SUCCESS)
        }
        ServerCommand::Create(args) => create(globals, &client, args).await,
        ServerCommand::Edit(args) => {
            let mut body = args.spec.coerced_fields(&client).await?;
            if let Some(name) = args.name {
                body.insert("name".to_owned(), json!(name));
            }
            let outcome =
                client.write(globals, Method::PATCH, &route(&args.server), Some(&Value::Object(body))).await?;
            outcome.report(globals, |s| {
                let name = text(s, "name");
                format!("changed server {name}; apply it to a running process with `hostler server restart {name}`")
            })
        }
        ServerCommand::Start(args) => act(globals, &client, "start", args).await,
        ServerCommand::Stop(args) => act(globals, &client, "stop", args).await,
        ServerCommand::Restart(args) => act(globals, &client, "restart", args).await,
        ServerCommand::Kill { server } => {
            if !globals.dry_run {
                messages::confirm(globals, &format!("Kill {server} immediately, without a regular stop"))?;
            }
            let outcome = client.write(globals, Method::POST, &format!("{}/kill", route(&server)), None::<&()>).await?;
            outcome.report(globals, |_| format!("killed {server}"))
        }
        ServerCommand::Input { server, line } => {
            let input = ServerInput { line: line.join(" ") };
            let outcome =
                client.write(globals, Method::POST, &format!("{}/input", route(&server)), Some(&input)).await?;
            outcome.report(globals, |_| format!("sent the line to {server}"))
        }
        ServerCommand::Console(args) => console::console(globals, &client, args).await,
        ServerCommand::Runs { server } => {
            let path = format!("{}/runs", route(&server));
            output::show_list(globals, "run", "no", RUNS, || client.list(&path)).await
        }
        ServerCommand::Move { server, to } => {
            let body = json!({"host": to});
            let outcome = client.write(globals, Method::PATCH, &route(&server), Some(&body)).await?;
            outcome.report(globals, |s| match text(s, "moves_to").as_str() {
                "" => format!("{server} is on {to}"),
                _ => format!("{server} moves to {to} as soon as host {} has stopped it", text(s, "host")),
            })
        }
        ServerCommand::Rm { server, force } => {
            if !globals.dry_run {
                messages::confirm(globals, &format!("Remove the server {server}"))?;
            }
            let path = format!("{}?cancel_jobs={force}", route(&server));
            let outcome = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            outcome.report(globals, |_| format!("removed server {server}"))
        }
    }
}

async fn create(globals: &Globals, client: &Client, args: CreateArgs) -> Result<ExitCode> {
    let mut body = args.spec.coerced_fields(client).await?;
    body.insert("name".to_owned(), json!(args.name));
    body.insert("host".to_owned(), json!(args.on));
    let made = match client.write(globals, Method::POST, "/servers", Some(&Value::Object(body))).await? {
        WriteOutcome::DryRun => return Ok(ExitCode::from(CHANGES_PENDING)),
        WriteOutcome::Answer(made) => made,
    };
    let name = text(&made, "name");
    if args.start {
        return act(globals, client, "start", ActArgs { server: name, no_wait: false }).await;
    }
    if !output::is_table(globals) {
        output::one(globals, made, "name", &[])?;
        return Ok(ExitCode::SUCCESS);
    }
    let host = text(&made, "host");
    messages::done(globals, format!("created server {name} on {host}; start it with `hostler server start {name}`"));
    Ok(ExitCode::SUCCESS)
}

/// Creates the job, and waits for its end unless `--no-wait` is set.
async fn act(globals: &Globals, client: &Client, action: &str, args: ActArgs) -> Result<ExitCode> {
    let path = format!("{}/{action}", route(&args.server));
    let made = match client.write(globals, Method::POST, &path, Some(&json!({}))).await? {
        WriteOutcome::DryRun => return Ok(ExitCode::from(CHANGES_PENDING)),
        WriteOutcome::Answer(made) => made,
    };
    let id = text(&made, "id");
    if made["deduplicated"] == json!(true) {
        let verb = match action {
            "start" => "starts",
            "stop" => "stops",
            _ => "restarts",
        };
        messages::note(globals, format!("no new job: job {id} already {verb} {}", args.server));
    }
    for job in made["superseded"].as_array().into_iter().flatten() {
        messages::note(globals, format!("job {} is superseded by this one", job.as_str().unwrap_or_default()));
    }
    let is_json = !output::is_table(globals);
    if args.no_wait {
        if is_json {
            output::one(globals, client.get(&format!("/jobs/{id}")).await?, "id", &[])?;
        } else {
            output::line(&id);
            messages::note(globals, format!("  queued; `hostler why {id}` explains a wait"));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let follow = Follow { client, globals, style: Style::Silent };
    let job = follow.follow_until_end(&id).await?;
    if is_json || text(&job, "status") != "succeeded" {
        return report_end(globals, client, &job, is_json, false).await;
    }
    let server = client.get(&route(&args.server)).await?;
    let participle = match action {
        "start" => "started",
        "stop" => "stopped",
        _ => "restarted",
    };
    messages::done(globals, format!("{participle} {} on {} (job {id})", text(&server, "name"), text(&server, "host")));
    Ok(ExitCode::SUCCESS)
}
