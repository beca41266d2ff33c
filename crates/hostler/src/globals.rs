//! The global options, which every command accepts.

use std::path::PathBuf;

use clap::Args;

/// Options shared by all commands
#[derive(Args, Clone, Debug)]
pub(crate) struct Globals {
    /// Output format: table, wide, json, jsonl, yaml or name
    #[arg(short, long, global = true, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) output: Option<Format>,
    /// Fields to include in JSON and YAML output, separated by commas
    #[arg(long, global = true, hide = true, value_name = "F1,F2", help_heading = "Output")]
    pub(crate) fields: Option<String>,
    /// Show only matching items, for example 'status:online label.env=prod name:web-*'
    #[arg(long, global = true, hide = true, help_heading = "Output")]
    pub(crate) filter: Option<String>,
    /// Refresh a list every 2 seconds
    #[arg(short, long, global = true, hide = true, help_heading = "Output")]
    pub(crate) watch: bool,
    /// Suppress messages on stderr
    #[arg(short, long, global = true, hide = true, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// Verbose output
    #[arg(short, long, global = true, hide = true, help_heading = "Output")]
    pub(crate) verbose: bool,
    /// When to use colours: auto, always or never
    #[arg(
        long,
        global = true,
        hide = true,
        value_enum,
        value_name = "WHEN",
        hide_possible_values = true,
        default_value = "auto",
        help_heading = "Output"
    )]
    pub(crate) color: Color,
    /// Never prompt; fail if a confirmation is needed
    #[arg(long, global = true, hide = true, help_heading = "Safety")]
    pub(crate) no_input: bool,
    /// Answer yes to all prompts
    #[arg(short, long, global = true, hide = true, help_heading = "Safety")]
    pub(crate) yes: bool,
    /// Show what would change, change nothing, and exit with 20
    #[arg(long, global = true, hide = true, help_heading = "Safety")]
    pub(crate) dry_run: bool,
    /// Time limit of each request to the hub
    #[arg(long, global = true, hide = true, value_name = "DURATION", default_value = "30s", help_heading = "Hub")]
    pub(crate) timeout: String,
    /// Context to use; see `hostler context list`
    #[arg(long, global = true, hide = true, env = "HOSTLER_CONTEXT", help_heading = "Hub")]
    pub(crate) context: Option<String>,
    /// Org to work in
    #[arg(long, global = true, hide = true, env = "HOSTLER_ORG", help_heading = "Hub")]
    pub(crate) org: Option<String>,
    /// Address of the hub; `hostler runner --hub` without an address starts a hub in the same process
    #[arg(
        long,
        global = true,
        hide = true,
        env = "HOSTLER_HUB",
        value_name = "URL",
        num_args = 0..=1,
        default_missing_value = "",
        help_heading = "Hub"
    )]
    pub(crate) hub: Option<String>,
    /// API token; set HOSTLER_TOKEN instead where other users can see your command lines
    #[arg(
        long = "api-token",
        global = true,
        hide = true,
        env = "HOSTLER_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN",
        help_heading = "Hub"
    )]
    pub(crate) api_token: Option<String>,
    /// Data folder
    #[arg(long, global = true, hide = true, env = "HOSTLER_HOME", value_name = "FOLDER", help_heading = "Hub")]
    pub(crate) home: Option<PathBuf>,
    /// Settings file
    #[arg(long, global = true, hide = true, env = "HOSTLER_CONFIG", value_name = "FILE", help_heading = "Hub")]
    pub(crate) config: Option<PathBuf>,
}

/// The values of `--output`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns on a terminal, tab-separated in a pipe
    Table,
    /// Table with more columns
    Wide,
    /// One JSON document
    Json,
    /// One JSON document per line
    Jsonl,
    /// YAML
    Yaml,
    /// Names only
    Name,
}

/// The values of `--color`.
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
