//! Servers: long-lived processes that people start, stop and restart.

mod console;
mod form;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use proto::api::server::ServerInput;
use reqwest::Method;
use serde_json::{Value, json};

use self::{console::ConsoleArgs, form::SpecArgs};
use super::{
    follow::{Follow, Style},
    run::ended,
    show_list, wrote,
};
use crate::{
    cli::Globals,
    client::{Client, Done, encoded},
    fail::{CHANGES_PENDING, Result},
    output::{self, Column, Format, column, text, when, wide},
    say,
};

/// Long-lived processes on hosts
#[derive(Subcommand)]
pub(crate) enum ServerCommand {
    /// Servers and how they are
    #[command(alias = "ls")]
    List,
    /// One server, with its settings
    Show {
        /// Name or id
        server: String,
    },
    /// Make a server; it is not started
    Create(CreateArgs),
    /// Change a server's settings; what runs goes on as it is until it is restarted
    Edit(EditArgs),
    /// Start a server: succeeds when it is ready
    Start(ActArgs),
    /// Stop a server: succeeds when nothing of it runs
    Stop(ActArgs),
    /// Stop a server and start it again
    Restart(ActArgs),
    /// Kill a server at once, past everything else; it stays down
    Kill {
        /// Name or id
        server: String,
    },
    /// Write a line to a server's input
    Input {
        /// Name or id
        server: String,
        /// The line
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        line: Vec<String>,
    },
    /// A server's output
    #[command(alias = "logs")]
    Console(ConsoleArgs),
    /// The runs of a server, newest first
    Runs {
        /// Name or id
        server: String,
    },
    /// Send a server to another host: it is stopped there and, if it ran, started here
    Move {
        /// Name or id
        server: String,
        /// The host it goes to
        #[arg(long, value_name = "HOST")]
        to: String,
    },
    /// Remove a server
    Rm {
        /// Name or id
        server: String,
        /// Stop it if it runs, and cancel jobs that wait for it
        #[arg(long)]
        force: bool,
    },
}

/// A server to make
#[derive(Args)]
pub(crate) struct CreateArgs {
    /// What you call it
    name: String,
    /// Its host
    #[arg(long, value_name = "HOST")]
    on: String,
    #[command(flatten)]
    spec: SpecArgs,
    /// Start it at once
    #[arg(long)]
    start: bool,
}

/// What to change
#[derive(Args)]
pub(crate) struct EditArgs {
    /// Name or id
    server: String,
    /// Another name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Which server, and whether to wait
#[derive(Args)]
pub(crate) struct ActArgs {
    /// Name or id
    server: String,
    /// Return at once instead of waiting for it
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
    column("CPU", |s| s["cpu_percent"].as_f64().map(|cpu| format!("{cpu:.0} %")).unwrap_or_default()),
    column("MEMORY", |s| s["memory_bytes"].as_u64().map(mebibytes).unwrap_or_default()),
    column("WHY", |s| text(s, "state_reason")),
    wide("RUN", |s| text(s, "run")),
    wide("AUTOSTART", |s| text(s, "spec.autostart")),
    wide("ID", |s| text(s, "id")),
];

const ROWS: &[Column] = &[
    column("name", |s| text(s, "name")),
    column("id", |s| text(s, "id")),
    column("host", |s| format!("{} ({})", text(s, "host"), text(s, "host_status"))),
    column("state", state),
    column("since", |s| when(s, "state_at")),
    column("why", |s| text(s, "state_reason")),
    column("wanted", |s| text(s, "wish")),
    column("run", |s| text(s, "run")),
    column("pid", |s| text(s, "pid")),
    column("started", |s| when(s, "started_at")),
    column("restarts", |s| text(s, "restarts")),
    column("job", |s| text(s, "job_id")),
    column("moves to", |s| text(s, "moves_to")),
    column("command", |s| words(&s["spec"]["argv"])),
    column("definition", |s| text(s, "spec.definition_key")),
    column("folder", |s| text(s, "spec.folder")),
    column("user", |s| text(s, "spec.user")),
    column("ports", |s| words(&s["spec"]["ports"])),
    column("ready", |s| s["spec"]["ready"].to_string()),
    column("stop", |s| s["spec"]["stop"].to_string()),
    column("restart", |s| s["spec"]["restart"].to_string()),
    column("autostart", |s| text(s, "spec.autostart")),
    column("caps", |s| s["spec"]["caps"].to_string()),
    column("log", |s| s["spec"]["log"].to_string()),
    column("made by", |s| text(s, "created_by")),
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

/// The state, with a mark where nobody knows whether it still holds.
fn state(server: &Value) -> String {
    let state = text(server, "state");
    match (server["is_stale"].as_bool(), text(server, "host_status").as_str()) {
        (Some(true), status) => format!("{state}? (host {status})"),
        _ => state,
    }
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn mebibytes(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / 1e6)
}

fn words(list: &Value) -> String {
    let word = |word: &Value| word.as_str().map_or_else(|| word.to_string(), str::to_owned);
    list.as_array().map(|all| all.iter().map(word).collect::<Vec<_>>().join(" ")).unwrap_or_default()
}

fn at(server: &str) -> String {
    format!("/servers/{}", encoded(server))
}

pub(crate) async fn server(globals: &Globals, command: ServerCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        ServerCommand::List => show_list(globals, "name", COLUMNS, || client.list("/servers")).await,
        ServerCommand::Show { server } => {
            output::one(globals, client.get(&at(&server)).await?, "name", ROWS)?;
            Ok(ExitCode::SUCCESS)
        }
        ServerCommand::Create(args) => create(globals, &client, args).await,
        ServerCommand::Edit(args) => {
            let mut body = args.spec.wanted(&client).await?;
            if let Some(name) = args.name {
                body.insert("name".to_owned(), json!(name));
            }
            let done = client.write(globals, Method::PATCH, &at(&args.server), Some(&Value::Object(body))).await?;
            wrote(globals, done, |s| format!("{} changed; hostler server restart makes it so", text(s, "name")))
        }
        ServerCommand::Start(args) => act(globals, &client, "start", args).await,
        ServerCommand::Stop(args) => act(globals, &client, "stop", args).await,
        ServerCommand::Restart(args) => act(globals, &client, "restart", args).await,
        ServerCommand::Kill { server } => {
            if !globals.dry_run {
                say::confirm(globals, &format!("Kill {server} at once, without letting it end by itself"))?;
            }
            let done = client.write(globals, Method::POST, &format!("{}/kill", at(&server)), None::<&()>).await?;
            wrote(globals, done, |_| format!("{server} was killed"))
        }
        ServerCommand::Input { server, line } => {
            let input = ServerInput { line: line.join(" ") };
            let done = client.write(globals, Method::POST, &format!("{}/input", at(&server)), Some(&input)).await?;
            wrote(globals, done, |_| format!("written to {server}"))
        }
        ServerCommand::Console(args) => console::console(globals, &client, args).await,
        ServerCommand::Runs { server } => {
            let path = format!("{}/runs", at(&server));
            show_list(globals, "no", RUNS, || client.list(&path)).await
        }
        ServerCommand::Move { server, to } => {
            let body = json!({"host": to});
            let done = client.write(globals, Method::PATCH, &at(&server), Some(&body)).await?;
            wrote(globals, done, |s| match text(s, "moves_to").as_str() {
                "" => format!("{server} is on {to}"),
                _ => format!("{server} goes to {to} as soon as {} has let go of it", text(s, "host")),
            })
        }
        ServerCommand::Rm { server, force } => {
            if !globals.dry_run {
                say::confirm(globals, &format!("Remove the server {server}"))?;
            }
            let path = format!("{}?cancel_jobs={force}", at(&server));
            let done = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            wrote(globals, done, |_| format!("{server} is removed"))
        }
    }
}

async fn create(globals: &Globals, client: &Client, args: CreateArgs) -> Result<ExitCode> {
    let mut body = args.spec.wanted(client).await?;
    body.insert("name".to_owned(), json!(args.name));
    body.insert("host".to_owned(), json!(args.on));
    let made = match client.write(globals, Method::POST, "/servers", Some(&Value::Object(body))).await? {
        Done::WouldDo => return Ok(ExitCode::from(CHANGES_PENDING)),
        Done::Answer(made) => made,
    };
    let name = text(&made, "name");
    if args.start {
        return act(globals, client, "start", ActArgs { server: name, no_wait: false }).await;
    }
    if !output::is_table(globals) {
        output::one(globals, made, "name", &[])?;
        return Ok(ExitCode::SUCCESS);
    }
    say::done(globals, format!("{name} is on {}; start it: hostler server start {name}", text(&made, "host")));
    Ok(ExitCode::SUCCESS)
}

/// Makes the job, and waits for it unless told otherwise.
async fn act(globals: &Globals, client: &Client, op: &str, args: ActArgs) -> Result<ExitCode> {
    let path = format!("{}/{op}", at(&args.server));
    let made = match client.write(globals, Method::POST, &path, Some(&json!({}))).await? {
        Done::WouldDo => return Ok(ExitCode::from(CHANGES_PENDING)),
        Done::Answer(made) => made,
    };
    let id = text(&made, "id");
    if made["deduplicated"] == json!(true) {
        say::note(globals, format!("{id} does that already"));
    }
    for job in made["superseded"].as_array().into_iter().flatten() {
        say::note(globals, format!("{} is superseded", job.as_str().unwrap_or_default()));
    }
    let is_json = !matches!(globals.output, None | Some(Format::Table | Format::Wide));
    if args.no_wait {
        if is_json {
            output::one(globals, client.get(&format!("/jobs/{id}")).await?, "id", &[])?;
        } else {
            output::line(&id);
            say::note(globals, format!("  queued; hostler why {id} says what it waits for"));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let follow = Follow { client, globals, style: Style::Silent };
    let job = follow.to_the_end(&id).await?;
    if is_json || text(&job, "status") != "succeeded" {
        return ended(globals, client, &job, is_json, false).await;
    }
    let server = client.get(&at(&args.server)).await?;
    let done = match op {
        "start" => "is started",
        "stop" => "is stopped",
        _ => "is restarted",
    };
    say::done(globals, format!("{} {done} on {} (job {id})", text(&server, "name"), text(&server, "host")));
    Ok(ExitCode::SUCCESS)
}
