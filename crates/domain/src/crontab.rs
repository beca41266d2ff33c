//! Reading a crontab for import: each line is a schedule with a command, a variable, or something that is not taken over
//! and why. Nothing is decided about the jobs that come of it.

mod command;
pub mod import;

use crate::{
    schedule::{BadSchedule, Schedule, is_expression},
    time::Timestamp,
    words,
};

pub use command::Start;

/// The most lines that are read.
pub const LINES_MAX: usize = 10_000;
/// The longest line, in characters: as many as cron itself takes for a command.
pub const LINE_CHARS_MAX: usize = 1_000;
/// The most lines that are not understood before it is taken for something else than a crontab.
pub const NOT_UNDERSTOOD_MAX: usize = 1_000;
/// The longest label that is made of a comment.
pub const LABEL_CHARS_MAX: usize = 80;

/// The comment that crontabs begin with: it names the columns and nothing else.
const HEADING: [&str; 5] = ["m", "h", "dom", "mon", "dow"];
/// Whether an expression ever fires is asked from here on; its fires repeat, so any year will do.
const SOME_YEAR: Timestamp = Timestamp::from_micros(946_684_800_000_000);

words! {
    /// Whose crontab it is.
    pub enum CrontabKind {
        /// One that a user edits: the command follows the times.
        User = "user",
        /// The machine's own: a user stands before the command.
        System = "system",
    }
}

/// What one line of a crontab says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrontabLine {
    /// Which line, counted from 1.
    pub number: usize,
    /// What it says.
    pub content: Content,
}

/// What a line can say. Blank lines and comments say nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A command and when it runs.
    Job(CrontabJob),
    /// A variable: for people to look at, because no job takes it over by itself.
    Variable {
        /// Its name.
        name: String,
        /// Its value, without quotes.
        value: String,
    },
    /// Not taken over; the reason says what to do.
    NotUnderstood(String),
}

/// A command of a crontab and when it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrontabJob {
    /// An expression for [`Schedule::parse`], which has read it once.
    pub expression: String,
    /// The zone that a `CRON_TZ=` or `TZ=` line above has set; none = that of the machine.
    pub zone: Option<String>,
    /// The command as it is written, `\%` read as `%`.
    pub command: String,
    /// How to start it.
    pub start: Start,
    /// Who it runs as, in the machine's own crontab.
    pub user: Option<String>,
    /// The comment right above it.
    pub label: Option<String>,
}

impl CrontabJob {
    /// Its arguments, if it can be started without a shell.
    #[must_use]
    pub fn argv(&self) -> Option<&[String]> {
        match &self.start {
            Start::Argv(argv) => Some(argv),
            Start::Shell(_) => None,
        }
    }
}

/// Reads the text of a crontab. It never fails: what cannot be taken over is in the answer with its reason.
#[must_use]
pub fn read(text: &str, kind: CrontabKind) -> Vec<CrontabLine> {
    let mut reader = Reader { kind, cron_zone: None, zone: None, label: None };
    let (mut found, mut not_understood) = (Vec::new(), 0);
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if index == LINES_MAX || not_understood == NOT_UNDERSTOOD_MAX {
            let reason = format!(
                "from here on nothing is read: a crontab has at most {LINES_MAX} lines, and at most {NOT_UNDERSTOOD_MAX} \
                that are not understood (split it)"
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

/// What the lines above have set.
struct Reader {
    kind: CrontabKind,
    /// From `CRON_TZ`, which is about times only and therefore goes before `TZ`.
    cron_zone: Option<String>,
    zone: Option<String>,
    label: Option<String>,
}

impl Reader {
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
        // A dash before the minutes only keeps cron from writing to its log.
        let line = line.strip_prefix('-').unwrap_or(line);
        let columns = if line.starts_with('@') { 1 } else { 5 };
        let (times, rest) =
            split(line, columns).ok_or("five times and a command are expected (write `0 2 * * * command`)")?;
        let zone = self.cron_zone.clone().or_else(|| self.zone.clone());
        let expression = expression(&times, zone.as_deref())?;
        let (user, command) = match self.kind {
            CrontabKind::User => (None, rest),
            CrontabKind::System => {
                let (user, command) = split(rest, 1).ok_or("a user and a command are expected after the times")?;
                (user.first().map(|user| (*user).to_owned()), command)
            }
        };
        let command = without_percent(command)?;
        if command.is_empty() {
            return Err("there is no command".to_owned());
        }
        Ok(CrontabJob { expression, zone, start: command::read(&command), command, user, label })
    }
}

/// The first columns of a line, and what follows them.
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

/// The times as [`Schedule`] reads them.
fn expression(times: &[&str], zone: Option<&str>) -> Result<String, String> {
    let expression = match times {
        [minute, hour, day, month, weekday] => {
            let fields = [minute, hour, day, month, weekday].map(|field| with_chosen(field));
            // In cron a field that starts with a star restricts the other one; without one, either day will do.
            let is_both = |one: &str, other: &str| one.starts_with("*/") && other != "*" && other != "?";
            let and = if is_both(day, weekday) || is_both(weekday, day) { "+" } else { "" };
            let [minute, hour, day, month, weekday] = fields;
            format!("{minute} {hour} {day} {month} {and}{weekday}")
        }
        ["@reboot"] => {
            return Err(
                "it runs when the machine starts, which is no time (make it a service of the machine)".to_owned()
            );
        }
        nickname => nickname.join(" "),
    };
    let seen = Schedule::parse(&expression, zone.unwrap_or("UTC"), "", SOME_YEAR);
    seen.map(|_| expression).map_err(|refused: BadSchedule| refused.to_string())
}

/// `0~29` is a value that cron chooses, which is `H(0-29)` here.
fn with_chosen(field: &str) -> String {
    let item = |item: &str| match item.split_once('~') {
        None => item.to_owned(),
        Some(("", "")) => "H".to_owned(),
        Some((from, to)) => format!("H({from}-{to})"),
    };
    field.split(',').map(item).collect::<Vec<_>>().join(",")
}

/// The command with `\%` as `%`. A bare one begins what cron writes to the command's input.
fn without_percent(command: &str) -> Result<String, String> {
    let mut found = String::with_capacity(command.len());
    let mut letters = command.trim_end().chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&'%') => found.extend(letters.next()),
            '%' => {
                return Err(
                    "`%` begins the input of the command (write `\\%` for the sign, or use a script)".to_owned()
                );
            }
            letter if letter.is_control() && letter != '\t' => {
                return Err("there are control characters in the command (remove them)".to_owned());
            }
            letter => found.push(letter),
        }
    }
    Ok(found)
}

/// The name and the value, if the line sets a variable.
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

/// The zone of a variable; empty takes back what was set before.
fn as_zone(value: &str) -> Option<String> {
    let zone = value.strip_prefix(':').unwrap_or(value);
    (!zone.is_empty()).then(|| zone.to_owned())
}

/// The label that a comment gives to the job below: not if it names the columns, or is a job that was taken out.
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

    /// What one line of a user's crontab says.
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
    fn a_crontab_of_a_user() {
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
        assert_eq!(found[2].start, Start::Shell("`>` is for the shell".to_owned()));
        assert_eq!(found[3].label, None, "a job that was taken out is no label");
        assert_eq!(found[4].zone.as_deref(), Some("America/New_York"));
    }

    #[test]
    fn a_crontab_of_the_machine() {
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
        let reason = "a user and a command are expected after the times".to_owned();
        assert_eq!((lines[3].number, &lines[3].content), (4, &Content::NotUnderstood(reason)));
    }

    #[test]
    fn expressions_mean_what_they_mean_in_cron() {
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
    fn what_is_not_taken_over_says_why() {
        for (line, said) in [
            ("@reboot x", "it runs when the machine starts, which is no time (make it a service of the machine)"),
            ("@often x", "`@often` is not known (write @hourly, @daily, @weekly, @monthly, @yearly or @every 15m)"),
            ("0 2 * * *", "five times and a command are expected (write `0 2 * * * command`)"),
            ("hello", "five times and a command are expected (write `0 2 * * * command`)"),
            ("0 25 * * * x", "`25` in the hour field is not within 0 to 23 (write a number of these)"),
            (
                "0 0 30 2 * x",
                "`0 0 30 2 *` never fires: no such time comes within 50 years (look at its day and month)",
            ),
            (
                "0 2 * * * mail me%Hello",
                "`%` begins the input of the command (write `\\%` for the sign, or use a script)",
            ),
            ("0 2 * * * a\u{1b}b", "there are control characters in the command (remove them)"),
            ("TZ=Berlin\n0 2 * * * x", "there is no time zone `Berlin` (did you mean Europe/Berlin?)"),
            ("@daily", "five times and a command are expected (write `0 2 * * * command`)"),
        ] {
            assert_eq!(reason(line), said, "{line}");
        }
        assert!(reason(&format!("0 2 * * * {}", "x".repeat(1_000))).starts_with("longer than 1000 characters"));
    }

    #[test]
    fn long_crontabs_are_read_to_their_bound() {
        let lines = read(&"* * * * * x\n".repeat(20_000), CrontabKind::User);
        assert_eq!(lines.len(), LINES_MAX + 1);
        assert!(matches!(lines[LINES_MAX].content, Content::NotUnderstood(_)));
        let lines = read(&"0 0 30 2 * x\n".repeat(20_000), CrontabKind::User);
        assert_eq!(lines.len(), NOT_UNDERSTOOD_MAX + 1);
    }

    #[test]
    fn commands_are_taken_apart_only_where_no_shell_is_needed() {
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
            ("a | b", "`|` is for the shell"),
            ("a && b", "`&` is for the shell"),
            ("a;b", "`;` is for the shell"),
            ("a > /dev/null 2>&1", "`>` is for the shell"),
            ("a $HOME", "`$` is for the shell"),
            ("a \"$HOME\"", "`$` is for the shell"),
            ("a \"`b`\"", "``` is for the shell"),
            ("rm *.log", "`*` is for the shell"),
            ("ls ~/x", "`~` is for the shell"),
            ("a {b,c}", "`{` is for the shell"),
            ("a # why", "`#` is for the shell"),
            ("LANG=C a", "it sets a variable first"),
            ("cd /srv", "`cd` is a word of the shell"),
            ("a 'b", "a quote is not closed"),
            ("a \\", "a backslash ends it"),
            ("(a)", "`(` is for the shell"),
        ] {
            assert_eq!(start(command), Start::Shell(why.to_owned()), "{command}");
        }
        assert_eq!(jobs("* * * * * a b", CrontabKind::User)[0].argv().map(<[String]>::len), Some(2));
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_answered(text in "([0-9*/,@%=#\\\\'\" \t\r\n~a-zA-Z$|-]|\\PC){0,400}", is_system: bool) {
            let kind = if is_system { CrontabKind::System } else { CrontabKind::User };
            for line in read(&text, kind) {
                prop_assert!(line.number >= 1 && line.number <= text.lines().count());
            }
        }

        #[test]
        fn quoted_words_come_back(words in proptest::collection::vec("[ -&(-~]{1,12}", 1..5)) {
            let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('%', "\\%"))).collect();
            let read = one(&format!("* * * * * /bin/x {}", quoted.join(" ")));
            let Content::Job(job) = read else { panic!("{read:?}") };
            prop_assert_eq!(&job.argv().expect("no shell")[1..], &words[..]);
        }
    }
}
