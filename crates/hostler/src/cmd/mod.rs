//! The commands, one file each, and the helpers they share.
//!
//! - `alert`: `hostler alert`
//! - `api`: `hostler api`
//! - `audit`: `hostler audit`
//! - `backup`: `hostler backup` and `hostler db`
//! - `batch`: `hostler batch`, and starting batches for other commands
//! - `bench`: `hostler bench` and its link benchmark
//! - `bench_accept`: rates of reconnecting runners
//! - `bench_http`: HTTP client of the queue benchmark
//! - `bench_queue`: `hostler bench queue`
//! - `bench_runners`: simulated runners of the queue benchmark
//! - `bench_spawn`: `hostler bench spawn`
//! - `bench_sync`: `hostler bench sync`
//! - `channel`: `hostler channel` and `hostler notice`
//! - `completion`: `hostler completion`
//! - `config`: `hostler config`
//! - `context`: `hostler context`
//! - `def`: `hostler def`
//! - `doctor`: `hostler doctor`
//! - `event`: `hostler event`
//! - `files`: reading definition and trigger files
//! - `follow`: following a job's output until it ends
//! - `help`: `hostler help`
//! - `hook`: `hostler hook`
//! - `host`: `hostler host`
//! - `invite`: `hostler invite`
//! - `job`: `hostler job`, and its short forms `ps`, `why`, `logs`, `cancel`, `retry`, `wait`, `queue`
//! - `join`: `hostler join` and `hostler leave`
//! - `limit`: `hostler limit`, `pause` and `resume`
//! - `login`: `hostler login`, `logout` and `whoami`
//! - `maintenance`: `hostler maintenance` and `hostler alert mute`
//! - `open`: `hostler open`
//! - `org`: `hostler org`
//! - `ping`: `hostler ping`
//! - `progress`: `hostler progress`
//! - `promote`: `hostler hub promote`
//! - `report`: `hostler report`
//! - `run`: `hostler run`, and parsers of times, durations and payloads
//! - `runner`: `hostler runner`
//! - `schedule`: `hostler schedule`
//! - `secret`: `hostler secret`
//! - `serve`: `hostler up` and `hostler hub`, and the parts that make up a process
//! - `server`: `hostler server`
//! - `service`: `hostler service`
//! - `status`: `hostler status` and `hostler version`
//! - `ui`: the web UI on the database of a hub or runner
//! - `sync`: `hostler sync`
//! - `tail`: `hostler tail`
//! - `timeline`: `hostler host timeline`
//! - `token`: `hostler token`
//! - `trigger`: `hostler trigger`
//! - `user`: `hostler user`

pub(crate) mod alert;
pub(crate) mod api;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod batch;
pub(crate) mod bench;
mod bench_accept;
pub(crate) mod bench_http;
mod bench_queue;
mod bench_runners;
pub(crate) mod bench_spawn;
mod bench_sync;
pub(crate) mod channel;
pub(crate) mod completion;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod def;
pub(crate) mod doctor;
pub(crate) mod event;
pub(crate) mod files;
pub(crate) mod follow;
pub(crate) mod help;
pub(crate) mod hook;
pub(crate) mod host;
pub(crate) mod invite;
pub(crate) mod job;
pub(crate) mod join;
pub(crate) mod limit;
pub(crate) mod login;
pub(crate) mod maintenance;
pub(crate) mod open;
pub(crate) mod org;
pub(crate) mod ping;
pub(crate) mod progress;
pub(crate) mod promote;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod runner;
pub(crate) mod schedule;
pub(crate) mod secret;
pub(crate) mod serve;
pub(crate) mod server;
pub(crate) mod service;
pub(crate) mod status;
pub(crate) mod sync;
pub(crate) mod tail;
mod timeline;
pub(crate) mod token;
pub(crate) mod trigger;
pub(crate) mod ui;
pub(crate) mod user;

use std::{process::ExitCode, time::Duration};

use serde_json::Value;

use crate::{
    cli::{Cli, Command, Globals},
    client::Done,
    fail::{CHANGES_PENDING, Result},
    output::{self, Column},
    say,
};

/// How often `-w` repeats a list.
const WATCH_EVERY: Duration = Duration::from_secs(2);

/// Runs a command.
pub(crate) async fn run(cli: Cli) -> Result<ExitCode> {
    let globals = cli.globals;
    globals.color.apply();
    match cli.command {
        Command::Up(args) => serve::up(&globals, args).await,
        Command::Hub(args) => serve::hub(&globals, args).await,
        Command::Runner(args) => runner::runner(&globals, args).await,
        Command::Ui(args) => ui::ui(&globals, args).await,
        Command::Join(args) => join::join(&globals, args).await,
        Command::Leave(args) => join::leave(&globals, args).await,
        Command::Invite(args) => invite::invite(&globals, args).await,
        Command::Status => status::status(&globals).await,
        Command::Backup(command) => backup::backup(&globals, command).await,
        Command::Db(command) => backup::db(&globals, command).await,
        Command::Sync(command) => sync::sync(&globals, command).await,
        Command::Doctor => doctor::doctor(&globals).await,
        Command::Version => status::version(&globals).await,
        Command::Login(args) => login::login(&globals, args).await,
        Command::Logout => login::logout(&globals),
        Command::Whoami => login::whoami(&globals).await,
        Command::Context(command) => context::context(&globals, command),
        Command::Token(command) => token::token(&globals, command).await,
        Command::Host(command) => host::host(&globals, command).await,
        Command::Run(args) => run::run(&globals, args).await,
        Command::Ps(args) => job::list(&globals, args).await,
        Command::Job(command) => job::job(&globals, command).await,
        Command::Why { job } => job::why(&globals, &job).await,
        Command::Logs(args) => job::logs(&globals, args).await,
        Command::Cancel(args) => job::cancel(&globals, args).await,
        Command::Retry(args) => job::retry(&globals, args).await,
        Command::Wait(args) => job::wait(&globals, args).await,
        Command::Queue => job::queue(&globals).await,
        Command::Batch(command) => batch::batch(&globals, command).await,
        Command::Def(command) => def::def(&globals, command).await,
        Command::Trigger(command) => trigger::trigger(&globals, command).await,
        Command::Event(command) => event::event(&globals, command).await,
        Command::Schedule(command) => schedule::schedule(&globals, command).await,
        Command::Tail(args) => tail::tail(&globals, args).await,
        Command::Limit(command) => limit::limit(&globals, command).await,
        Command::Pause(args) => limit::pause(&globals, args).await,
        Command::Resume(args) => limit::resume(&globals, args).await,
        Command::Alert(command) => alert::alert(&globals, command).await,
        Command::Mute(args) => maintenance::mute(&globals, args).await,
        Command::Maintenance(command) => maintenance::maintenance(&globals, command).await,
        Command::Channel(command) => channel::channel(&globals, command).await,
        Command::Notice(command) => channel::notice(&globals, command).await,
        Command::Server(command) => Box::pin(server::server(&globals, command)).await,
        Command::Ping(command) => ping::ping(&globals, command).await,
        Command::Hook(command) => hook::hook(&globals, command).await,
        Command::Secret(command) => secret::secret(&globals, command).await,
        Command::Progress(args) => progress::progress(&globals, args).await,
        Command::Report => Ok(report::report()),
        Command::Org(command) => org::org(&globals, command).await,
        Command::User(command) => user::user(&globals, command).await,
        Command::Audit(args) => audit::audit(&globals, args).await,
        Command::Config(command) => config::config(&globals, command),
        Command::Service(command) => service::service(&globals, command),
        Command::Completion(args) => Ok(completion::completion(&args)),
        Command::Open(args) => open::open(&globals, args).await,
        Command::Api(args) => api::api(&globals, args).await,
        Command::Bench(command) => bench::bench(&globals, command).await,
        Command::Help(args) => help::help(&args),
    }
}

/// Prints the result of a write, or exits with 20 after a dry run.
fn wrote(globals: &Globals, done: Done, said: impl FnOnce(&Value) -> String) -> Result<ExitCode> {
    match done {
        Done::Answer(answer) => {
            say::done(globals, said(&answer));
            Ok(ExitCode::SUCCESS)
        }
        Done::WouldDo => Ok(ExitCode::from(CHANGES_PENDING)),
    }
}

/// Prints a list; with `-w` refreshes it until Ctrl-C.
async fn show_list<F>(globals: &Globals, name: &str, columns: &[Column], read: impl Fn() -> F) -> Result<ExitCode>
where
    F: Future<Output = Result<Vec<Value>>>,
{
    loop {
        let items = read().await?;
        if globals.watch && output::is_terminal() {
            output::line("\x1b[2J\x1b[H");
        }
        output::list(globals, items, name, columns)?;
        if !globals.watch {
            return Ok(ExitCode::SUCCESS);
        }
        tokio::select! {
            () = tokio::time::sleep(WATCH_EVERY) => {}
            _ = tokio::signal::ctrl_c() => return Ok(ExitCode::from(130)),
        }
    }
}
