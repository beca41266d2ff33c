//! The parser of crontab files. Each line is a job, a variable, or text that cannot be imported, with the reason.
//!
//! - `command`: splits a command into arguments if it needs no shell
//! - `import`: the definition and trigger for each line

mod command;
pub mod import;

use crate::{
    schedule::{BadSchedule, Schedule, is_expression},
    string_enum,
    time::Timestamp,
};

pub use command::Start;

/// The most lines that are parsed.
pub const LINES_MAX: usize = 10_000;
/// The longest line, in characters: cron's own limit for a command.
pub const LINE_CHARS_MAX: usize = 1_000;
/// Parsing stops after this many lines that cannot be imported: the text is probably not a crontab.
pub const NOT_UNDERSTOOD_MAX: usize = 1_000;
/// The longest label taken from a comment.
pub const LABEL_CHARS_MAX: usize = 80;

/// The usual header comment of a crontab, which names the columns; it is not used as a label.
const HEADING: [&str; 5] = ["m", "h", "dom", "mon", "dow"];
/// The start time for checking that an expression ever fires. Any year gives the same result.
const SOME_YEAR: Timestamp = Timestamp::from_micros(946_684_800_000_000);

string_enum! {
    /// The format of a crontab.
    pub enum CrontabKind {
        /// A user's crontab: the command follows the times.
        User = "user",
        /// The system's crontab: a user name precedes the command.
        System = "system",
    }
}

/// One line of a crontab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrontabLine {
    /// The line number, starting at 1.
    pub number: usize,
    pub content: Content,
}

/// The content of a line. Blank lines and comments have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A command and its times.
    Job(CrontabJob),
    /// A variable. It is only displayed: imported jobs do not get it.
    Variable {
        name: String,
        /// Without quotes.
        value: String,
    },
    /// Cannot be imported, with the reason and the fix.
    NotUnderstood(String),
}

/// A command of a crontab and its times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrontabJob {
    /// A valid expression for [`Schedule::parse`].
    pub expression: String,
    /// The time zone set by a `CRON_TZ=` or `TZ=` line above; `None` means the machine's zone.
    pub zone: Option<String>,
    /// The command as written, with `\%` replaced by `%`.
    pub command: String,
    pub start: Start,
    /// The user of a line in the system's crontab.
    pub user: Option<String>,
    /// The comment on the line above.
    pub label: Option<String>,
}

impl CrontabJob {
    /// The arguments, if no shell is needed.
    #[must_use]
    pub fn argv(&self) -> Option<&[String]> {
        match &self.start {
            Start::Argv(argv) => Some(argv),
            Start::Shell(_) => None,
        }
    }
}

/// Parses a crontab. It never fails: lines that cannot be imported are returned with the reason.
#[must_use]
pub fn read(text: &str, kind: CrontabKind) -> Vec<CrontabLine> {
    let mut reader = CrontabReader { kind, cron_zone: None, zone: None, label: None };
    let (mut found, mut not_understood) = (Vec::new(), 0);
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if index == LINES_MAX || not_understood == NOT_UNDERSTOOD_MAX {
            let reason = format!(
                "reading stopped here: a crontab may have at most {LINES_MAX} lines and {NOT_UNDERSTOOD_MAX} lines that \
                cannot be imported (split the file)"
            );
            found.push(CrontabLine { number, content: Content::NotUnderstood(reason) });
            break;
        }
        let Some(content) = reader.line(line.trim()) else { continue };
        not_understood += usize::from(matches!(content, Content::NotUnderstood(_)));
        found.push(CrontabLine { number, content });
    }
    found
}

/// The state set by the lines read so far.
struct CrontabReader {
    kind: CrontabKind,
    /// From `CRON_TZ`, which applies only to times and takes precedence over `TZ`.
    cron_zone: Option<String>,
    zone: Option<String>,
    label: Option<String>,
}

impl CrontabReader {
    fn line(&mut self, line: &str) -> Option<Content> {
        let label = self.label.take();
        if line.is_empty() {
            return None;
        }
        if line.chars().nth(LINE_CHARS_MAX).is_some() {
            let reason = format!("longer than {LINE_CHARS_MAX} characters (put the command into a script)");
            return Some(Content::NotUnderstood(reason));
        }
        if let Some(comment) = line.strip_prefix('#') {
            self.label = as_label(comment);
            return None;
        }
        if let Some((name, value)) = variable(line) {
            match name {
                "CRON_TZ" => self.cron_zone = as_zone(value),
                "TZ" => self.zone = as_zone(value),
                _ => {}
            }
            return Some(Content::Variable { name: name.to_owned(), value: value.to_owned() });
        }
        Some(self.job(line, label).map_or_else(Content::NotUnderstood, Content::Job))
    }

    fn job(&self, line: &str, label: Option<String>) -> Result<CrontabJob, String> {
        // A leading dash only disables cron's logging of the line.
        let line = line.strip_prefix('-').unwrap_or(line);
        let columns = if line.starts_with('@') { 1 } else { 5 };
        let (times, rest) =
            split(line, columns).ok_or("expected five time fields and a command (write `0 2 * * * command`)")?;
        let zone = self.cron_zone.clone().or_else(|| self.zone.clone());
        let expression = expression(&times, zone.as_deref())?;
        let (user, command) = match self.kind {
            CrontabKind::User => (None, rest),
            CrontabKind::System => {
                let (user, command) = split(rest, 1).ok_or("expected a user and a command after the time fields")?;
                (user.first().map(|user| (*user).to_owned()), command)
            }
        };
        let command = without_percent(command)?;
        if command.is_empty() {
            return Err("the command is missing".to_owned());
        }
        Ok(CrontabJob { expression, zone, start: command::read(&command), command, user, label })
    }
}

/// The first columns of a line, and the rest.
fn split(line: &str, columns: usize) -> Option<(Vec<&str>, &str)> {
    let mut rest = line;
    let mut found = Vec::new();
    for _ in 0..columns {
        let (column, after) = rest.split_once([' ', '\t'])?;
        found.push(column);
        rest = after.trim_start();
    }
    Some((found, rest))
}

/// The times as an expression for [`Schedule`].
fn expression(times: &[&str], zone: Option<&str>) -> Result<String, String> {
    let expression = match times {
        [minute, hour, day, month, weekday] => {
            let fields = [minute, hour, day, month, weekday].map(|field| with_chosen(field));
            // If the day or the weekday starts with a star, cron requires both to match; otherwise one is enough.
            let is_both = |one: &str, other: &str| one.starts_with("*/") && other != "*" && other != "?";
            let and = if is_both(day, weekday) || is_both(weekday, day) { "+" } else { "" };
            let [minute, hour, day, month, weekday] = fields;
            format!("{minute} {hour} {day} {month} {and}{weekday}")
        }
        ["@reboot"] => {
            return Err("it runs when the machine starts, not at a time (use a system service)".to_owned());
        }
        nickname => nickname.join(" "),
    };
    let seen = Schedule::parse(&expression, zone.unwrap_or("UTC"), "", SOME_YEAR);
    seen.map(|_| expression).map_err(|refused: BadSchedule| refused.to_string())
}

/// `0~29` is a random value chosen by cron; the equivalent here is `H(0-29)`.
fn with_chosen(field: &str) -> String {
    let item = |item: &str| match item.split_once('~') {
        None => item.to_owned(),
        Some(("", "")) => "H".to_owned(),
        Some((from, to)) => format!("H({from}-{to})"),
    };
    field.split(',').map(item).collect::<Vec<_>>().join(",")
}

/// The command with `\%` replaced by `%`. An unescaped `%` starts the text that cron writes to the command's input.
fn without_percent(command: &str) -> Result<String, String> {
    let mut found = String::with_capacity(command.len());
    let mut letters = command.trim_end().chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&'%') => found.extend(letters.next()),
            '%' => {
                return Err(
                    "`%` starts the input of the command (write `\\%` for a percent sign, or use a script)".to_owned()
                );
            }
            letter if letter.is_control() && letter != '\t' => {
                return Err("the command contains control characters (remove them)".to_owned());
            }
            letter => found.push(letter),
        }
    }
    Ok(found)
}

/// The name and value of a variable line.
fn variable(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let (name, value) = (unquoted(name.trim()), unquoted(value.trim()));
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    is_name.then_some((name, value))
}

fn unquoted(text: &str) -> &str {
    let within = |quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    within('"').or_else(|| within('\'')).unwrap_or(text)
}

/// The time zone of a variable; an empty value resets it.
fn as_zone(value: &str) -> Option<String> {
    let zone = value.strip_prefix(':').unwrap_or(value);
    (!zone.is_empty()).then(|| zone.to_owned())
}

/// The label from a comment above a job. The column header and commented-out jobs are no labels.
fn as_label(comment: &str) -> Option<String> {
    let text = comment.trim_start_matches('#').trim();
    let is_heading = text.split_whitespace().take(HEADING.len()).eq(HEADING);
    let columns = if text.starts_with('@') { 1 } else { 5 };
    let is_job = split(text, columns).is_some_and(|(times, _)| is_expression(&times.join(" ")));
    let is_empty = !text.chars().any(char::is_alphanumeric);
    (!is_heading && !is_job && !is_empty)
        .then(|| text.chars().filter(|letter| !letter.is_control()).take(LABEL_CHARS_MAX).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn jobs(text: &str, kind: CrontabKind) -> Vec<CrontabJob> {
        let content = |line: CrontabLine| match line.content {
            Content::Job(job) => Some(job),
            Content::Variable { .. } | Content::NotUnderstood(_) => None,
        };
        read(text, kind).into_iter().filter_map(content).collect()
    }

    /// The content of one line of a user's crontab.
    fn one(line: &str) -> Content {
        read(line, CrontabKind::User).pop().expect(line).content
    }

    fn reason(line: &str) -> String {
        match one(line) {
            Content::NotUnderstood(reason) => reason,
            other => panic!("{line} is {other:?}"),
        }
    }

    #[test]
    fn user_crontabs_are_parsed() {
        let text = "# Edit this file\r\n# m h  dom mon dow   command\r\n\r\nMAILTO=\"me@example.org\"\r\n\
            # Nightly backup\r\n0 2 * * *\t/usr/bin/backup --all 'two words'\r\n*/5 * * * * poll\r\n\
            CRON_TZ = Europe/Berlin\nTZ=America/New_York\n\n# --------\n@daily report \\%Y > /tmp/x\n#0 3 * * * old\n0 4 * * 7 new\n\
            CRON_TZ=\n0 5 * * * x\n";
        let lines = read(text, CrontabKind::User);
        assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), [4, 6, 7, 8, 9, 12, 14, 15, 16]);
        let mailto = Content::Variable { name: "MAILTO".to_owned(), value: "me@example.org".to_owned() };
        assert_eq!(lines[0].content, mailto);
        let found = jobs(text, CrontabKind::User);
        let backup = CrontabJob {
            expression: "0 2 * * *".to_owned(),
            zone: None,
            command: "/usr/bin/backup --all 'two words'".to_owned(),
            start: Start::Argv(["/usr/bin/backup", "--all", "two words"].map(str::to_owned).to_vec()),
            user: None,
            label: Some("Nightly backup".to_owned()),
        };
        assert_eq!(found[0], backup);
        assert_eq!((found[1].label.as_deref(), found[1].zone.as_deref()), (None, None));
        assert_eq!((found[2].expression.as_str(), found[2].zone.as_deref()), ("@daily", Some("Europe/Berlin")));
        assert_eq!((found[2].command.as_str(), found[2].label.as_deref()), ("report %Y > /tmp/x", None));
        assert_eq!(found[2].start, Start::Shell("`>` needs a shell".to_owned()));
        assert_eq!(found[3].label, None, "a commented-out job is no label");
        assert_eq!(found[4].zone.as_deref(), Some("America/New_York"));
    }

    #[test]
    fn system_crontabs_are_parsed() {
        let text = "SHELL=/bin/sh\n17 *\t* * *\troot    run-parts --report /etc/cron.hourly\n-*/10 * * * * www-data  php cron.php\n\
            0 0 * * * root\n@hourly root\ttidy\n";
        let found = jobs(text, CrontabKind::System);
        let seen: Vec<_> =
            found.iter().map(|job| (job.user.as_deref().expect("a user"), job.command.as_str())).collect();
        assert_eq!(
            seen,
            [("root", "run-parts --report /etc/cron.hourly"), ("www-data", "php cron.php"), ("root", "tidy")]
        );
        assert_eq!(found[1].expression, "*/10 * * * *");
        let lines = read(text, CrontabKind::System);
        let reason = "expected a user and a command after the time fields".to_owned();
        assert_eq!((lines[3].number, &lines[3].content), (4, &Content::NotUnderstood(reason)));
    }

    #[test]
    fn expressions_keep_their_meaning_in_cron() {
        for (line, expression) in [
            ("0 0 */2 * mon x", "0 0 */2 * +mon"),
            ("0 0 1 * */2 x", "0 0 1 * +*/2"),
            ("0 0 13 * 5 x", "0 0 13 * 5"),
            ("0 0 * * 5 x", "0 0 * * 5"),
            ("0 0 */2 * * x", "0 0 */2 * *"),
            ("0~29 ~ * * * x", "H(0-29) H * * *"),
            ("0  2\t* * *  x", "0 2 * * *"),
        ] {
            assert_eq!(jobs(line, CrontabKind::User)[0].expression, expression, "{line}");
        }
    }

    #[test]
    fn lines_that_cannot_be_imported_have_a_reason() {
        for (line, said) in [
            ("@reboot x", "it runs when the machine starts, not at a time (use a system service)"),
            (
                "@often x",
                "`@often` is not a schedule name (write @hourly, @daily, @weekly, @monthly, @yearly or @every 15m)",
            ),
            ("0 2 * * *", "expected five time fields and a command (write `0 2 * * * command`)"),
            ("hello", "expected five time fields and a command (write `0 2 * * * command`)"),
            ("0 25 * * * x", "`25` in the hour field is not between 0 and 23 (write a number in this range)"),
            ("0 0 30 2 * x", "`0 0 30 2 *` never fires: no date within 50 years matches (check the day and month)"),
            (
                "0 2 * * * mail me%Hello",
                "`%` starts the input of the command (write `\\%` for a percent sign, or use a script)",
            ),
            ("0 2 * * * a\u{1b}b", "the command contains control characters (remove them)"),
            ("TZ=Berlin\n0 2 * * * x", "there is no time zone `Berlin` (did you mean Europe/Berlin?)"),
            ("@daily", "expected five time fields and a command (write `0 2 * * * command`)"),
        ] {
            assert_eq!(reason(line), said, "{line}");
        }
        assert!(reason(&format!("0 2 * * * {}", "x".repeat(1_000))).starts_with("longer than 1000 characters"));
    }

    #[test]
    fn parsing_stops_at_the_limits() {
        let lines = read(&"* * * * * x\n".repeat(20_000), CrontabKind::User);
        assert_eq!(lines.len(), LINES_MAX + 1);
        assert!(matches!(lines[LINES_MAX].content, Content::NotUnderstood(_)));
        let lines = read(&"0 0 30 2 * x\n".repeat(20_000), CrontabKind::User);
        assert_eq!(lines.len(), NOT_UNDERSTOOD_MAX + 1);
    }

    #[test]
    fn only_commands_without_shell_syntax_are_split() {
        let start = |command: &str| match one(&format!("* * * * * {command}")) {
            Content::Job(job) => job.start,
            other => panic!("{command} is {other:?}"),
        };
        for (command, argv) in [
            ("a b  c", vec!["a", "b", "c"]),
            ("a 'b c' \"d e\"", vec!["a", "b c", "d e"]),
            ("a '' b\\ c", vec!["a", "", "b c"]),
            ("a \"x\\\"y\" '$HOME *' \"a\\b\"", vec!["a", "x\"y", "$HOME *", "a\\b"]),
            ("find /tmp -exec ls {} +", vec!["find", "/tmp", "-exec", "ls", "{}", "+"]),
            ("a --key=value x#y x~ \\$5", vec!["a", "--key=value", "x#y", "x~", "$5"]),
            ("date +\\%Y", vec!["date", "+%Y"]),
        ] {
            assert_eq!(start(command), Start::Argv(argv.into_iter().map(str::to_owned).collect()), "{command}");
        }
        for (command, why) in [
            ("a | b", "`|` needs a shell"),
            ("a && b", "`&` needs a shell"),
            ("a;b", "`;` needs a shell"),
            ("a > /dev/null 2>&1", "`>` needs a shell"),
            ("a $HOME", "`$` needs a shell"),
            ("a \"$HOME\"", "`$` needs a shell"),
            ("a \"`b`\"", "``` needs a shell"),
            ("rm *.log", "`*` needs a shell"),
            ("ls ~/x", "`~` needs a shell"),
            ("a {b,c}", "`{` needs a shell"),
            ("a # why", "`#` needs a shell"),
            ("LANG=C a", "it sets a variable"),
            ("cd /srv", "`cd` is a shell builtin"),
            ("a 'b", "a quote is not closed"),
            ("a \\", "it ends with a backslash"),
            ("(a)", "`(` needs a shell"),
        ] {
            assert_eq!(start(command), Start::Shell(why.to_owned()), "{command}");
        }
        assert_eq!(jobs("* * * * * a b", CrontabKind::User)[0].argv().map(<[String]>::len), Some(2));
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_without_panic(text in "([0-9*/,@%=#\\\\'\" \t\r\n~a-zA-Z$|-]|\\PC){0,400}", is_system: bool) {
            let kind = if is_system { CrontabKind::System } else { CrontabKind::User };
            for line in read(&text, kind) {
                prop_assert!(line.number >= 1 && line.number <= text.lines().count());
            }
        }

        #[test]
        fn quoted_words_round_trip(words in proptest::collection::vec("[ -&(-~]{1,12}", 1..5)) {
            let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('%', "\\%"))).collect();
            let read = one(&format!("* * * * * /bin/x {}", quoted.join(" ")));
            let Content::Job(job) = read else { panic!("{read:?}") };
            prop_assert_eq!(&job.argv().expect("no shell")[1..], &words[..]);
        }
    }
}
