//! The help texts of the clap command tree: groups of commands, examples, and the list of global options.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, Command, builder::StyledStr};

use crate::examples;

/// The commands of `hostler --help` by heading. Each visible command is in exactly one group.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Run",
        &[
            "run", "ps", "job", "why", "logs", "cancel", "retry", "wait", "queue", "batch", "def", "limit", "pause",
            "resume", "progress",
        ],
    ),
    ("Machines", &["invite", "join", "leave", "host"]),
    ("Schedules", &["trigger", "schedule", "event", "hook", "tail"]),
    ("Alerts", &["alert", "channel", "notice", "maintenance", "ping"]),
    ("Servers", &["server"]),
    (
        "Admin",
        &[
            "login",
            "logout",
            "whoami",
            "context",
            "open",
            "org",
            "user",
            "token",
            "secret",
            "audit",
            "api",
            "completion",
            "help",
        ],
    ),
    (
        "Hub",
        &[
            "up", "hub", "runner", "ui", "service", "status", "doctor", "version", "config", "sync", "backup", "db",
            "bench",
        ],
    ),
];

/// Commands that have moved: the words that still work, and the command whose help they show.
const MOVED: &[(&str, &[&str])] = &[("mute", &["alert", "mute"])];

const HELP_OF_A_COMMAND: &str = "{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}\n";

const GLOBAL_OPTIONS: &str = "Global options: hostler help options";

const MORE_HELP: &[(&str, &str)] = &[
    ("hostler COMMAND --help", "options and examples of a command"),
    ("hostler help options", "options of all commands, such as --hub, --filter and --dry-run"),
    ("hostler help TOPIC", "environment, exit-codes, filters, formats, time, or an error code"),
];

const FIRST_STEPS: &[(&str, &str)] = &[
    ("hostler up", "start a hub, a runner and the web UI on this machine"),
    ("hostler invite", "print the command that adds another machine"),
    ("hostler run hello --on web-1 -f", "run a job on web-1 and follow its output"),
    ("hostler host list -l env=prod", "list hosts by label"),
];

/// The command tree with its help texts.
pub(crate) fn with_help(root: Command) -> Command {
    let overview = overview(&root);
    let about = root.get_about().map(ToString::to_string).unwrap_or_default();
    let root = root
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(flag("help", 'h', "Print help", ArgAction::HelpShort))
        .arg(flag("version", 'V', "Print the version", ArgAction::Version))
        .help_template(format!("{about}\n\n{{usage-heading}} {{usage}}\n\n{overview}\n"));
    let names: Vec<String> = root.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    let root = names.iter().fold(root, |root, name| root.mut_subcommand(name, |inner| describe(inner, name)));
    MOVED.iter().fold(root, |root, (former, current)| show_help_of(root, former, current))
}

/// The command tree for completion scripts, in which the global options are not hidden.
pub(crate) fn with_all_options(root: Command) -> Command {
    root.mut_args(|arg| arg.hide(false))
}

/// The command that former words name, or the words themselves.
pub(crate) fn current_words(words: &[String]) -> Vec<&str> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let moved = MOVED.iter().find(|(former, _)| words == [*former]);
    moved.map_or(words, |(_, current)| current.to_vec())
}

/// The text of `hostler help options`.
pub(crate) fn global_options(root: &Command) -> StyledStr {
    let visible = |arg: &Arg| {
        let arg = arg.clone().hide(false);
        if arg.get_id() == "output" { arg.help_heading("Output") } else { arg }
    };
    // clap requires a version for the `--version` of the root, which is one of the options.
    let options = Command::new("options").version(proto::VERSION).disable_help_flag(true).disable_version_flag(true);
    let mut options = options.args(root.get_arguments().map(visible)).help_template("{all-args}");
    options.render_help()
}

fn flag(name: &'static str, short: char, help: &'static str, action: ArgAction) -> Arg {
    Arg::new(name).short(short).long(name).help(help).action(action).global(true).hide(true)
}

/// The groups of commands, and how to get more help.
fn overview(root: &Command) -> String {
    let header = *root.get_styles().get_header();
    let literal = *root.get_styles().get_literal();
    let mut text = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(text, "{header}{heading}:{header:#}");
        for name in *names {
            let about = root.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string);
            let _ = writeln!(text, "  {literal}{name:<11}{literal:#} {}", about.unwrap_or_default());
        }
        text.push('\n');
    }
    for (heading, lines) in [("First steps", FIRST_STEPS), ("More help", MORE_HELP)] {
        let _ = writeln!(text, "{header}{heading}:{header:#}");
        for (command, about) in lines {
            let _ = writeln!(text, "  {literal}{command:<32}{literal:#} {about}");
        }
        text.push('\n');
    }
    text.trim_end().to_owned()
}

/// Adds examples and the hint to the global options to a command and its subcommands. The text before the usage line
/// is not the long description, because clap would then spread each option over several lines.
fn describe(command: Command, path: &str) -> Command {
    let about = command.get_long_about().or_else(|| command.get_about()).map(ToString::to_string).unwrap_or_default();
    let header = *command.get_styles().get_header();
    let before = match examples::of(path) {
        Some(examples) => format!("{about}\n\n{header}Examples:{header:#}\n  {}", examples.join("\n  ")),
        None => about,
    };
    let after = match command.get_after_help() {
        Some(note) => format!("{note}\n\n{GLOBAL_OPTIONS}"),
        None => GLOBAL_OPTIONS.to_owned(),
    };
    let names: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    let command = command.before_help(before).after_help(after).help_template(HELP_OF_A_COMMAND);
    names
        .iter()
        .fold(command, |command, name| command.mut_subcommand(name, |inner| describe(inner, &format!("{path} {name}"))))
}

/// Replaces the help and the usage line of a former command with those of the current one.
fn show_help_of(root: Command, former: &str, current: &[&str]) -> Command {
    let mut built = root.clone();
    built.build();
    let mut found = &mut built;
    for word in current {
        found = found.find_subcommand_mut(word).expect("MOVED names existing commands");
    }
    let (help, usage) = (found.render_help(), found.render_usage().to_string());
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    root.mut_subcommand(former, |command| command.override_help(help).override_usage(usage))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    fn tree() -> Command {
        let mut tree = with_help(Cli::command());
        tree.build();
        tree
    }

    /// The visible commands without subcommands, with their help texts.
    fn leaves(command: &Command, path: &str, found: &mut Vec<(String, String)>) {
        for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
            let path = format!("{path} {}", inner.get_name()).trim().to_owned();
            if inner.get_subcommands().next().is_some() {
                leaves(inner, &path, found);
            } else {
                found.push((path, inner.clone().render_help().to_string()));
            }
        }
    }

    fn help_of(words: &[&str]) -> String {
        let args = [&["hostler"], words, &["--help"]].concat();
        let help = with_help(Cli::command()).try_get_matches_from(args).expect_err("help");
        help.to_string()
    }

    #[test]
    fn clap_accepts_the_command_tree() {
        with_help(Cli::command()).debug_assert();
    }

    #[test]
    fn every_visible_command_is_in_one_group_with_its_summary() {
        let tree = tree();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut visible: Vec<&str> =
            tree.get_subcommands().filter(|inner| !inner.is_hide_set()).map(Command::get_name).collect();
        grouped.sort_unstable();
        visible.sort_unstable();
        assert_eq!(grouped, visible);
        let help = help_of(&[]);
        for inner in tree.get_subcommands().filter(|inner| !inner.is_hide_set()) {
            let about = inner.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(!about.is_empty(), "`{}` has no summary", inner.get_name());
            let line = format!("\n  {:<11} {about}\n", inner.get_name());
            assert!(help.contains(&line), "`hostler --help` has no line {line:?}:\n{help}");
        }
        for (heading, _) in GROUPS {
            assert!(help.contains(&format!("\n{heading}:\n")), "{help}");
        }
        assert!(help.contains("hostler help options"), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }

    #[test]
    fn help_of_every_command_begins_with_examples() {
        let mut found = Vec::new();
        leaves(&tree(), "", &mut found);
        assert!(found.len() > 40, "only {} commands", found.len());
        for (path, help) in &found {
            let (examples, usage) = (help.find("Examples:"), help.find("Usage:"));
            assert!(examples.is_some() && examples < usage, "`hostler {path} --help` does not begin with examples");
        }
        for command in examples::commands() {
            let is_command = command == "report" || found.iter().any(|(path, _)| path == command);
            let is_group = tree().find_subcommand(command).is_some();
            assert!(is_command || is_group, "there are examples of `{command}`, which is not a command");
        }
    }

    #[test]
    fn global_options_are_listed_once() {
        let root = with_help(Cli::command());
        let options = global_options(&root).to_string();
        for arg in root.get_arguments() {
            let long = format!("--{}", arg.get_long().expect("global options have a long name"));
            assert!(options.contains(&long), "`hostler help options` has no {long}:\n{options}");
        }
        let help = help_of(&["host", "list"]);
        assert!(help.contains("--output") && help.trim_end().ends_with(GLOBAL_OPTIONS), "{help}");
        let (_, listed) = help.split_once("Options:").expect("a list of options");
        for long in ["--api-token", "--dry-run", "--filter", "--timeout", "--version"] {
            assert!(!listed.contains(long), "{help}");
        }
    }

    #[test]
    fn global_options_work_after_subcommands_and_are_completed() {
        let cli = ["hostler", "host", "list", "--dry-run", "--org", "acme", "-o", "json"];
        let matches = with_help(Cli::command()).try_get_matches_from(cli).expect("parses");
        let cli = <Cli as clap::FromArgMatches>::from_arg_matches(&matches).expect("parses");
        assert!(cli.globals.dry_run && cli.globals.org.as_deref() == Some("acme"));
        let mut script = Vec::new();
        clap_complete::generate(
            clap_complete::Shell::Zsh,
            &mut with_all_options(Cli::command()),
            "hostler",
            &mut script,
        );
        let script = String::from_utf8(script).expect("text");
        assert!(script.matches("--api-token").count() > 40, "each command completes the global options");
    }

    #[test]
    fn help_of_former_commands_is_shown_under_the_current_name() {
        for (former, current) in [
            (&["mute"][..], "hostler alert mute"),
            (&["supervisor"], "hostler ui"),
            (&["host", "degrade"], "hostler host mark-degraded"),
            (&["host", "clear"], "hostler host unmark"),
        ] {
            let help = help_of(former);
            assert!(help.contains(&format!("Usage: {current} ")), "{former:?}: {help}");
        }
        assert_eq!(current_words(&["mute".to_owned()]), ["alert", "mute"]);
    }

    #[test]
    fn org_flag_of_share_names_the_other_org() {
        use crate::{cli, cmd::machines::host::HostCommand};
        let parse = |args: &[&str]| {
            let matches = with_help(Cli::command()).try_get_matches_from([&["hostler", "host"], args].concat());
            matches.and_then(|matches| <Cli as clap::FromArgMatches>::from_arg_matches(&matches))
        };
        let cli = parse(&["share", "web-1", "--org", "acme", "--of", "own"]).expect("parses");
        let cli::Command::Host(HostCommand::Share(args)) = cli.command else { panic!("another command") };
        assert_eq!((args.host.as_str(), args.other.as_str(), args.of.as_deref()), ("web-1", "acme", Some("own")));
        assert!(parse(&["unshare", "web-1"]).is_err(), "--org is required");
    }
}
