//! The words of the command line.

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
  hostler up                          start hub, runner and web UI on this machine
  hostler invite                      print the line that adds another machine
  hostler run hello --on web-1 -f     run a job there and follow it
  hostler host list -l env=prod       hosts with a label
  hostler help exit-codes             topics: filters exit-codes environment formats time, or an error code";

/// Options of every command
#[derive(Args, Clone, Debug)]
pub(crate) struct Globals {
    /// Form of the output
    #[arg(short, long, global = true, value_enum, help_heading = "Output")]
    pub(crate) output: Option<Format>,
    /// Only these fields in JSON and YAML, separated by commas
    #[arg(long, global = true, value_name = "F1,F2", help_heading = "Output")]
    pub(crate) fields: Option<String>,
    /// Only what fits, as in 'status:online label.env=prod name:web-*'
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) filter: Option<String>,
    /// Repeat a list every two seconds
    #[arg(short, long, global = true, help_heading = "Output")]
    pub(crate) watch: bool,
    /// No chatter on stderr
    #[arg(short, long, global = true, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// More of what goes on
    #[arg(short, long, global = true, help_heading = "Output")]
    pub(crate) verbose: bool,
    /// Colours
    #[arg(long, global = true, value_enum, default_value = "auto", help_heading = "Output")]
    pub(crate) color: Color,
    /// Never ask anything
    #[arg(long, global = true, help_heading = "Safety")]
    pub(crate) no_input: bool,
    /// Yes to every question
    #[arg(short, long, global = true, help_heading = "Safety")]
    pub(crate) yes: bool,
    /// Show what would be done and exit with 20
    #[arg(long, global = true, help_heading = "Safety")]
    pub(crate) dry_run: bool,
    /// How long to wait for the hub
    #[arg(long, global = true, default_value = "30s", help_heading = "Hub")]
    pub(crate) timeout: String,
    /// A context of `hostler context list`
    #[arg(long, global = true, env = "HOSTLER_CONTEXT", help_heading = "Hub")]
    pub(crate) context: Option<String>,
    /// The org to work in
    #[arg(long, global = true, env = "HOSTLER_ORG", help_heading = "Hub")]
    pub(crate) org: Option<String>,
    /// The hub's address; `hostler runner --hub` without one starts a hub in the same process
    #[arg(long, global = true, env = "HOSTLER_HUB", value_name = "URL", num_args = 0..=1, default_missing_value = "", help_heading = "Hub")]
    pub(crate) hub: Option<String>,
    /// An API token; better in the environment than on the command line
    #[arg(
        long = "api-token",
        global = true,
        env = "HOSTLER_TOKEN",
        hide_env_values = true,
        value_name = "HST",
        help_heading = "Hub"
    )]
    pub(crate) api_token: Option<String>,
    /// The data folder
    #[arg(long, global = true, env = "HOSTLER_HOME", value_name = "FOLDER", help_heading = "Hub")]
    pub(crate) home: Option<PathBuf>,
    /// The settings file
    #[arg(long, global = true, env = "HOSTLER_CONFIG", value_name = "FILE", help_heading = "Hub")]
    pub(crate) config: Option<PathBuf>,
}

/// When to use colours
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
    /// Makes it so for the whole process.
    pub(crate) fn apply(self) {
        match self {
            // The stream itself looks at NO_COLOR, CLICOLOR, CLICOLOR_FORCE and the terminal.
            Self::Auto => {}
            Self::Always => anstream::ColorChoice::Always.write_global(),
            Self::Never => anstream::ColorChoice::Never.write_global(),
        }
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Start hub, runner and web UI in one process
    Up(cmd::serve::UpArgs),
    /// Start a hub
    Hub(cmd::serve::HubArgs),
    /// Start the runner of this machine
    Runner(cmd::runner::RunnerArgs),
    /// Start the web UI over a database
    Supervisor(cmd::supervisor::SupervisorArgs),
    /// Make this machine a host of a hub
    Join(cmd::join::JoinArgs),
    /// Unlink this machine from its hub
    Leave(cmd::join::LeaveArgs),
    /// Print the line that makes a machine a host
    Invite(cmd::invite::InviteArgs),
    /// One glance at the hub and its hosts
    Status,
    /// How far rows have come between machines and their hubs
    #[command(subcommand)]
    Sync(cmd::sync::SyncCommand),
    /// Look for what is wrong here
    Doctor,
    /// Versions of client, hub and runners
    Version,
    /// Sign in to a hub
    Login(cmd::login::LoginArgs),
    /// Forget a hub's token
    Logout,
    /// Who the hub thinks you are
    Whoami,
    /// Hubs you work with
    #[command(subcommand)]
    Context(cmd::context::ContextCommand),
    /// API tokens
    #[command(subcommand)]
    Token(cmd::token::TokenCommand),
    /// Machines
    #[command(subcommand)]
    Host(cmd::host::HostCommand),
    /// Run a definition as a job
    Run(cmd::run::RunArgs),
    /// The jobs of the org, newest first
    Ps(cmd::job::ListArgs),
    /// Jobs
    #[command(subcommand)]
    Job(cmd::job::JobCommand),
    /// Why a job does not run, or how it ended
    Why {
        /// Its id, or the beginning of it
        job: String,
    },
    /// Output of a job
    Logs(cmd::job::LogsArgs),
    /// Cancel jobs: what waits never begins, what runs is ended
    Cancel(cmd::job::CancelArgs),
    /// Put finished jobs back, with their history
    Retry(cmd::job::RetryArgs),
    /// Wait until jobs are over
    Wait(cmd::job::WaitArgs),
    /// Counts of the queue
    Queue,
    /// Bulk actions on jobs
    #[command(subcommand)]
    Batch(cmd::batch::BatchCommand),
    /// What may be run
    #[command(subcommand)]
    Def(cmd::def::DefCommand),
    /// Schedules and event rules
    #[command(subcommand)]
    Trigger(cmd::trigger::TriggerCommand),
    /// Things that happen
    #[command(subcommand)]
    Event(cmd::event::EventCommand),
    /// Schedules of a host
    #[command(subcommand)]
    Schedule(cmd::schedule::ScheduleCommand),
    /// Events as they happen
    Tail(cmd::tail::TailArgs),
    /// Limits that jobs share by a key
    #[command(subcommand)]
    Limit(cmd::limit::LimitCommand),
    /// Pause the org's queue, a definition, a queue or a key
    Pause(cmd::limit::PauseArgs),
    /// End such a pause
    Resume(cmd::limit::ResumeArgs),
    /// What is wrong, and what makes it so
    #[command(subcommand)]
    Alert(cmd::alert::AlertCommand),
    /// Tell nobody of some alerts for a while
    Mute(cmd::maintenance::MuteArgs),
    /// Times in which nobody is told of alerts
    #[command(subcommand)]
    Maintenance(cmd::maintenance::MaintenanceCommand),
    /// Where alerts are told
    #[command(subcommand)]
    Channel(cmd::channel::ChannelCommand),
    /// What was told
    #[command(subcommand)]
    Notice(cmd::channel::NoticeCommand),
    /// Long-lived processes on hosts
    #[command(subcommand)]
    Server(cmd::server::ServerCommand),
    /// Programs elsewhere that say when they run
    #[command(subcommand)]
    Ping(cmd::ping::PingCommand),
    /// Addresses at which other systems tell events
    #[command(subcommand)]
    Hook(cmd::hook::HookCommand),
    /// Secrets that runs get in their environment
    #[command(subcommand)]
    Secret(cmd::secret::SecretCommand),
    /// Tell how far this run is: for programs that Hostler runs
    Progress(cmd::progress::ProgressArgs),
    /// What this machine is and how it is
    #[command(hide = true)]
    Report,
    /// Orgs
    #[command(subcommand)]
    Org(cmd::org::OrgCommand),
    /// People of the org
    #[command(subcommand)]
    User(cmd::user::UserCommand),
    /// Who did what
    Audit(cmd::audit::AuditArgs),
    /// Backups of a hub's database
    #[command(subcommand)]
    Backup(cmd::backup::BackupCommand),
    /// Databases
    #[command(subcommand)]
    Db(cmd::backup::DbCommand),
    /// Settings
    #[command(subcommand)]
    Config(cmd::config::ConfigCommand),
    /// Keep Hostler running with the system
    #[command(subcommand)]
    Service(cmd::service::ServiceCommand),
    /// Completion for a shell
    Completion(cmd::completion::CompletionArgs),
    /// Open the web UI, signed in
    Open(cmd::open::OpenArgs),
    /// Call the API
    Api(cmd::api::ApiArgs),
    /// Measure
    #[command(subcommand)]
    Bench(cmd::bench::BenchCommand),
    /// Help on a command, a topic or an error code
    Help(cmd::help::HelpArgs),
}

/// Prints clap's own word on stderr (help on stdout) and ends as the contract says: 2 for wrong use.
pub(crate) fn refuse(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}
