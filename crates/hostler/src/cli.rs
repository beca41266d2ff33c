//! The command-line grammar: global options and subcommands.

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};

use crate::{cmd, output::Format};

/// Durable jobs and long-lived processes on machines you own
#[derive(Parser)]
#[command(name = "hostler", version = proto::VERSION, propagate_version = true, disable_help_subcommand = true, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  hostler up                          start a hub, a runner and the web UI on this machine
  hostler invite                      print the command that adds another machine
  hostler run hello --on web-1 -f     run a job on web-1 and follow its output
  hostler host list -l env=prod       list hosts by label
  hostler help exit-codes             topics: filters exit-codes environment formats time, or an error code";

/// Options shared by all commands
#[derive(Args, Clone, Debug)]
pub(crate) struct Globals {
    /// Output format
    #[arg(short, long, global = true, value_enum, help_heading = "Output")]
    pub(crate) output: Option<Format>,
    /// Fields to include in JSON and YAML output, separated by commas
    #[arg(long, global = true, value_name = "F1,F2", help_heading = "Output")]
    pub(crate) fields: Option<String>,
    /// Show only matching items, for example 'status:online label.env=prod name:web-*'
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) filter: Option<String>,
    /// Refresh a list every 2 seconds
    #[arg(short, long, global = true, help_heading = "Output")]
    pub(crate) watch: bool,
    /// Suppress messages on stderr
    #[arg(short, long, global = true, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// Verbose output
    #[arg(short, long, global = true, help_heading = "Output")]
    pub(crate) verbose: bool,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value = "auto", help_heading = "Output")]
    pub(crate) color: Color,
    /// Never prompt; fail if a confirmation is needed
    #[arg(long, global = true, help_heading = "Safety")]
    pub(crate) no_input: bool,
    /// Answer yes to all prompts
    #[arg(short, long, global = true, help_heading = "Safety")]
    pub(crate) yes: bool,
    /// Show what would change, change nothing, and exit with 20
    #[arg(long, global = true, help_heading = "Safety")]
    pub(crate) dry_run: bool,
    /// Time limit of each request to the hub
    #[arg(long, global = true, default_value = "30s", help_heading = "Hub")]
    pub(crate) timeout: String,
    /// Context to use; see `hostler context list`
    #[arg(long, global = true, env = "HOSTLER_CONTEXT", help_heading = "Hub")]
    pub(crate) context: Option<String>,
    /// Org to work in
    #[arg(long, global = true, env = "HOSTLER_ORG", help_heading = "Hub")]
    pub(crate) org: Option<String>,
    /// Address of the hub; `hostler runner --hub` without an address starts a hub in the same process
    #[arg(long, global = true, env = "HOSTLER_HUB", value_name = "URL", num_args = 0..=1, default_missing_value = "", help_heading = "Hub")]
    pub(crate) hub: Option<String>,
    /// API token; set HOSTLER_TOKEN instead where other users can see your command lines
    #[arg(
        long = "api-token",
        global = true,
        env = "HOSTLER_TOKEN",
        hide_env_values = true,
        value_name = "HST",
        help_heading = "Hub"
    )]
    pub(crate) api_token: Option<String>,
    /// Data folder
    #[arg(long, global = true, env = "HOSTLER_HOME", value_name = "FOLDER", help_heading = "Hub")]
    pub(crate) home: Option<PathBuf>,
    /// Settings file
    #[arg(long, global = true, env = "HOSTLER_CONFIG", value_name = "FILE", help_heading = "Hub")]
    pub(crate) config: Option<PathBuf>,
}

/// The values of `--color`
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Sets the colour choice of the whole process.
    pub(crate) fn apply(self) {
        match self {
            // anstream itself checks NO_COLOR, CLICOLOR, CLICOLOR_FORCE and whether the stream is a terminal.
            Self::Auto => {}
            Self::Always => anstream::ColorChoice::Always.write_global(),
            Self::Never => anstream::ColorChoice::Never.write_global(),
        }
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Start a hub, a runner and the web UI in one process
    Up(cmd::serve::UpArgs),
    /// Start a hub
    Hub(cmd::serve::HubArgs),
    /// Start the runner of this machine
    Runner(cmd::runner::RunnerArgs),
    /// Start only the web UI, on the database of a hub or runner
    #[command(alias = "supervisor")]
    Ui(cmd::ui::UiArgs),
    /// Add this machine to a hub as a host
    Join(cmd::join::JoinArgs),
    /// Remove this machine from a hub
    Leave(cmd::join::LeaveArgs),
    /// Print the command that adds a machine
    Invite(cmd::invite::InviteArgs),
    /// Show hub and host status
    Status,
    /// Show the state of replication between hosts and hubs
    #[command(subcommand)]
    Sync(cmd::sync::SyncCommand),
    /// Check this machine and its hub for problems
    Doctor,
    /// Show the versions of client, hub and runners
    Version,
    /// Sign in to a hub
    Login(cmd::login::LoginArgs),
    /// Delete the saved token of a hub
    Logout,
    /// Show the signed-in user
    Whoami,
    /// Manage contexts: saved hubs and their tokens
    #[command(subcommand)]
    Context(cmd::context::ContextCommand),
    /// Manage API tokens
    #[command(subcommand)]
    Token(cmd::token::TokenCommand),
    /// Manage hosts
    #[command(subcommand)]
    Host(cmd::host::HostCommand),
    /// Run a definition as a job
    Run(cmd::run::RunArgs),
    /// List jobs, newest first
    Ps(cmd::job::ListArgs),
    /// Manage jobs
    #[command(subcommand)]
    Job(cmd::job::JobCommand),
    /// Explain why a job waits or how it ended
    Why {
        /// Job id, or the first characters of it
        job: String,
    },
    /// Show the output of a job
    Logs(cmd::job::LogsArgs),
    /// Cancel queued and running jobs
    Cancel(cmd::job::CancelArgs),
    /// Queue finished jobs again; their earlier runs are kept
    Retry(cmd::job::RetryArgs),
    /// Wait until jobs end
    Wait(cmd::job::WaitArgs),
    /// Show job counts by status
    Queue,
    /// Manage batches: bulk actions on jobs
    #[command(subcommand)]
    Batch(cmd::batch::BatchCommand),
    /// Manage definitions: the commands that jobs may run
    #[command(subcommand)]
    Def(cmd::def::DefCommand),
    /// Manage triggers: schedules and event rules that create jobs
    #[command(subcommand)]
    Trigger(cmd::trigger::TriggerCommand),
    /// Send and list events
    #[command(subcommand)]
    Event(cmd::event::EventCommand),
    /// Preview what the schedules of a host do
    #[command(subcommand)]
    Schedule(cmd::schedule::ScheduleCommand),
    /// Stream events as they are published
    Tail(cmd::tail::TailArgs),
    /// Manage limits that jobs share by key
    #[command(subcommand)]
    Limit(cmd::limit::LimitCommand),
    /// Pause an org, a definition, a queue or a limit key
    Pause(cmd::limit::PauseArgs),
    /// Resume a paused org, definition, queue or limit key
    Resume(cmd::limit::ResumeArgs),
    /// Manage alerts and alert rules
    #[command(subcommand)]
    Alert(cmd::alert::AlertCommand),
    /// The former name of `alert mute`
    #[command(hide = true)]
    Mute(cmd::maintenance::MuteArgs),
    /// Manage maintenance windows, in which alerts send no notifications
    #[command(subcommand)]
    Maintenance(cmd::maintenance::MaintenanceCommand),
    /// Manage notification channels
    #[command(subcommand)]
    Channel(cmd::channel::ChannelCommand),
    /// List sent notifications
    #[command(subcommand)]
    Notice(cmd::channel::NoticeCommand),
    /// Manage servers: long-lived processes on hosts
    #[command(subcommand)]
    Server(cmd::server::ServerCommand),
    /// Manage pings: alerts when a program outside Hostler does not report in time
    #[command(subcommand)]
    Ping(cmd::ping::PingCommand),
    /// Manage webhooks that receive events from other systems
    #[command(subcommand)]
    Hook(cmd::hook::HookCommand),
    /// Manage secrets that runs receive as environment variables
    #[command(subcommand)]
    Secret(cmd::secret::SecretCommand),
    /// Report the progress of a run, from inside the run
    Progress(cmd::progress::ProgressArgs),
    /// Print the properties and load of this machine
    #[command(hide = true)]
    Report,
    /// Manage orgs
    #[command(subcommand)]
    Org(cmd::org::OrgCommand),
    /// Manage the members of an org
    #[command(subcommand)]
    User(cmd::user::UserCommand),
    /// Show or verify the audit log
    Audit(cmd::audit::AuditArgs),
    /// Create, verify and restore backups of a hub
    #[command(subcommand)]
    Backup(cmd::backup::BackupCommand),
    /// Copy a hub's database
    #[command(subcommand)]
    Db(cmd::backup::DbCommand),
    /// Show and check settings
    #[command(subcommand)]
    Config(cmd::config::ConfigCommand),
    /// Install Hostler as a system service
    #[command(subcommand)]
    Service(cmd::service::ServiceCommand),
    /// Print a shell completion script
    Completion(cmd::completion::CompletionArgs),
    /// Open the web UI, signed in
    Open(cmd::open::OpenArgs),
    /// Send a request to the API
    Api(cmd::api::ApiArgs),
    /// Run benchmarks
    #[command(subcommand)]
    Bench(cmd::bench::BenchCommand),
    /// Show help for a command, a topic or an error code
    Help(cmd::help::HelpArgs),
}

/// Prints a clap error on stderr, or help on stdout. A usage error exits with 2.
pub(crate) fn refuse(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}
