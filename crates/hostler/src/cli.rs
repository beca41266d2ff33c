//! The command-line grammar, and the function that runs each command.

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::{
    cmd::{admin, alerts, bench, hub, machines, run, schedules, servers},
    fail::Result,
    globals::Globals,
    tree,
};

/// Durable jobs and long-lived processes on machines you own
#[derive(Parser)]
#[command(
    name = "hostler",
    version = proto::VERSION,
    propagate_version = true,
    disable_help_subcommand = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Start a hub, a runner and the web UI in one process
    Up(hub::serve::UpArgs),
    /// Start a hub
    Hub(hub::serve::HubArgs),
    /// Start the runner of this machine
    Runner(hub::runner::RunnerArgs),
    /// Start only the web UI, on the database of a hub or runner
    #[command(alias = "supervisor")]
    Ui(hub::ui::UiArgs),
    /// Add this machine to a hub as a host
    Join(machines::join::JoinArgs),
    /// Remove this machine from a hub
    Leave(machines::join::LeaveArgs),
    /// Print the command that adds a machine
    Invite(machines::invite::InviteArgs),
    /// Show hub and host status
    Status,
    /// Show the state of replication between hosts and hubs
    #[command(subcommand)]
    Sync(hub::sync::SyncCommand),
    /// Check this machine and its hub for problems
    Doctor,
    /// Show the versions of client, hub and runners
    Version,
    /// Sign in to a hub
    Login(admin::login::LoginArgs),
    /// Delete the saved token of a hub
    Logout,
    /// Show the signed-in user
    Whoami,
    /// Manage contexts: saved hubs and their tokens
    #[command(subcommand)]
    Context(admin::context::ContextCommand),
    /// Manage API tokens
    #[command(subcommand)]
    Token(admin::token::TokenCommand),
    /// Manage hosts
    #[command(subcommand)]
    Host(machines::host::HostCommand),
    /// Run a definition as a job
    Run(run::create::RunArgs),
    /// List jobs, newest first
    Ps(run::job::ListArgs),
    /// Manage jobs
    #[command(subcommand)]
    Job(run::job::JobCommand),
    /// Explain why a job waits or how it ended
    Why {
        /// Job id, or the first characters of it
        job: String,
    },
    /// Show the output of a job
    Logs(run::job::LogsArgs),
    /// Cancel queued and running jobs
    Cancel(run::job::CancelArgs),
    /// Queue finished jobs again; their earlier runs are kept
    Retry(run::job::RetryArgs),
    /// Wait until jobs end
    Wait(run::job::WaitArgs),
    /// Show job counts by status
    Queue,
    /// Manage batches: bulk actions on jobs
    #[command(subcommand)]
    Batch(run::batch::BatchCommand),
    /// Manage definitions: the commands that jobs may run
    #[command(subcommand)]
    Def(run::def::DefCommand),
    /// Manage triggers: schedules and event rules that create jobs
    #[command(subcommand)]
    Trigger(schedules::trigger::TriggerCommand),
    /// Send and list events
    #[command(subcommand)]
    Event(schedules::event::EventCommand),
    /// Preview what the schedules of a host do
    #[command(subcommand)]
    Schedule(schedules::explain::ScheduleCommand),
    /// Stream events as they are published
    Tail(schedules::tail::TailArgs),
    /// Manage limits that jobs share by key
    #[command(subcommand)]
    Limit(run::limit::LimitCommand),
    /// Pause an org, a definition, a queue or a limit key
    Pause(run::limit::PauseArgs),
    /// Resume a paused org, definition, queue or limit key
    Resume(run::limit::ResumeArgs),
    /// Manage alerts and alert rules
    #[command(subcommand)]
    Alert(alerts::alert::AlertCommand),
    /// The former name of `alert mute`
    #[command(hide = true)]
    Mute(alerts::maintenance::MuteArgs),
    /// Manage maintenance windows, in which alerts send no notifications
    #[command(subcommand)]
    Maintenance(alerts::maintenance::MaintenanceCommand),
    /// Manage notification channels
    #[command(subcommand)]
    Channel(alerts::channel::ChannelCommand),
    /// List sent notifications
    #[command(subcommand)]
    Notice(alerts::channel::NoticeCommand),
    /// Manage servers: long-lived processes on hosts
    #[command(subcommand)]
    Server(servers::ServerCommand),
    /// Manage pings: alerts when a program outside Hostler does not report in time
    #[command(subcommand)]
    Ping(alerts::ping::PingCommand),
    /// Manage webhooks that receive events from other systems
    #[command(subcommand)]
    Hook(schedules::hook::HookCommand),
    /// Manage secrets that runs receive as environment variables
    #[command(subcommand)]
    Secret(admin::secret::SecretCommand),
    /// Report the progress of a run, from inside the run
    Progress(run::progress::ProgressArgs),
    /// Print the properties and load of this machine
    #[command(hide = true)]
    Report,
    /// Manage orgs
    #[command(subcommand)]
    Org(admin::org::OrgCommand),
    /// Manage the members of an org
    #[command(subcommand)]
    User(admin::user::UserCommand),
    /// Show or verify the audit log
    Audit(admin::audit::AuditArgs),
    /// Create, verify and restore backups of a hub
    #[command(subcommand)]
    Backup(hub::backup::BackupCommand),
    /// Copy a hub's database
    #[command(subcommand)]
    Db(hub::backup::DbCommand),
    /// Show and check settings
    #[command(subcommand)]
    Config(hub::config::ConfigCommand),
    /// Install Hostler as a system service
    #[command(subcommand)]
    Service(hub::service::ServiceCommand),
    /// Print a shell completion script
    Completion(admin::completion::CompletionArgs),
    /// Open the web UI, signed in
    Open(admin::open::OpenArgs),
    /// Send a request to the API
    Api(admin::api::ApiArgs),
    /// Run benchmarks
    #[command(subcommand)]
    Bench(bench::BenchCommand),
    /// Show help for a command, a topic or an error code
    Help(admin::help::HelpArgs),
}

/// The clap command tree with its help texts.
fn command() -> clap::Command {
    tree::with_help(Cli::command())
}

/// Parses the arguments of this process.
pub(crate) fn parse() -> Result<Cli, clap::Error> {
    command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches))
}

/// Prints a clap error on stderr, or help on stdout. A usage error exits with 2.
pub(crate) fn refuse(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

/// Runs a command.
pub(crate) async fn run(cli: Cli) -> Result<ExitCode> {
    let globals = cli.globals;
    globals.color.apply();
    match cli.command {
        Command::Up(args) => hub::serve::up(&globals, args).await,
        Command::Hub(args) => hub::serve::hub(&globals, args).await,
        Command::Runner(args) => hub::runner::runner(&globals, args).await,
        Command::Ui(args) => hub::ui::ui(&globals, args).await,
        Command::Join(args) => machines::join::join(&globals, args).await,
        Command::Leave(args) => machines::join::leave(&globals, args).await,
        Command::Invite(args) => machines::invite::invite(&globals, args).await,
        Command::Status => hub::status::status(&globals).await,
        Command::Backup(command) => hub::backup::backup(&globals, command).await,
        Command::Db(command) => hub::backup::db(&globals, command).await,
        Command::Sync(command) => hub::sync::sync(&globals, command).await,
        Command::Doctor => hub::doctor::doctor(&globals).await,
        Command::Version => hub::status::version(&globals).await,
        Command::Login(args) => admin::login::login(&globals, args).await,
        Command::Logout => admin::login::logout(&globals),
        Command::Whoami => admin::login::whoami(&globals).await,
        Command::Context(command) => admin::context::context(&globals, command),
        Command::Token(command) => admin::token::token(&globals, command).await,
        Command::Host(command) => machines::host::host(&globals, command).await,
        Command::Run(args) => run::create::run(&globals, args).await,
        Command::Ps(args) => run::job::list(&globals, args).await,
        Command::Job(command) => run::job::job(&globals, command).await,
        Command::Why { job } => run::job::why(&globals, &job).await,
        Command::Logs(args) => run::job::logs(&globals, args).await,
        Command::Cancel(args) => run::job::cancel(&globals, args).await,
        Command::Retry(args) => run::job::retry(&globals, args).await,
        Command::Wait(args) => run::job::wait(&globals, args).await,
        Command::Queue => run::job::queue(&globals).await,
        Command::Batch(command) => run::batch::batch(&globals, command).await,
        Command::Def(command) => run::def::def(&globals, command).await,
        Command::Trigger(command) => schedules::trigger::trigger(&globals, command).await,
        Command::Event(command) => schedules::event::event(&globals, command).await,
        Command::Schedule(command) => schedules::explain::schedule(&globals, command).await,
        Command::Tail(args) => schedules::tail::tail(&globals, args).await,
        Command::Limit(command) => run::limit::limit(&globals, command).await,
        Command::Pause(args) => run::limit::pause(&globals, args).await,
        Command::Resume(args) => run::limit::resume(&globals, args).await,
        Command::Alert(command) => alerts::alert::alert(&globals, command).await,
        Command::Mute(args) => alerts::maintenance::mute(&globals, args).await,
        Command::Maintenance(command) => alerts::maintenance::maintenance(&globals, command).await,
        Command::Channel(command) => alerts::channel::channel(&globals, command).await,
        Command::Notice(command) => alerts::channel::notice(&globals, command).await,
        Command::Server(command) => Box::pin(servers::server(&globals, command)).await,
        Command::Ping(command) => alerts::ping::ping(&globals, command).await,
        Command::Hook(command) => schedules::hook::hook(&globals, command).await,
        Command::Secret(command) => admin::secret::secret(&globals, command).await,
        Command::Progress(args) => run::progress::progress(&globals, args).await,
        Command::Report => Ok(run::report::report()),
        Command::Org(command) => admin::org::org(&globals, command).await,
        Command::User(command) => admin::user::user(&globals, command).await,
        Command::Audit(args) => admin::audit::audit(&globals, args).await,
        Command::Config(command) => hub::config::config(&globals, command),
        Command::Service(command) => hub::service::service(&globals, command),
        Command::Completion(args) => Ok(admin::completion::completion(&args, Cli::command())),
        Command::Open(args) => admin::open::open(&globals, args).await,
        Command::Api(args) => admin::api::api(&globals, args).await,
        Command::Bench(command) => bench::bench(&globals, command).await,
        Command::Help(args) => admin::help::help(&args, command()),
    }
}
