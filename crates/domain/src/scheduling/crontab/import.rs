//! The import of crontabs: the definition and trigger for each line.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Content, CrontabJob, CrontabLine, Start};
use crate::{definition::Definition, schedule::Schedule, time::Timestamp};

/// The longest part of a key taken from a program's name.
const SLUG_MAX: usize = 40;
/// cron has no timeout, so imported definitions get a day instead of the default of an hour.
const TIMEOUT_SECONDS: u32 = 86_400;
/// Two literal opening braces in an argv template.
const BRACES: &str = "{{ \"{{\" }}";

/// The settings of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The machine that the crontab is from, which will run the jobs.
    pub host: Option<String>,
    /// The time zone of lines without `CRON_TZ`; `None` means the org's zone.
    pub zone: Option<String>,
    pub now: Timestamp,
}

/// The result for one line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineResult {
    /// The line number, starting at 1.
    pub line: usize,
    #[serde(flatten)]
    pub fate: Fate,
}

/// The possible results.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Fate {
    /// Can be imported.
    Ready(Box<ImportedJob>),
    NeedsShell {
        command: String,
        reason: String,
    },
    /// Cannot be imported.
    NotUnderstood {
        /// The reason and the fix.
        reason: String,
    },
    Variable {
        name: String,
        value: String,
    },
}

/// A line that can be imported.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImportedJob {
    pub label: String,
    /// The schedule in words.
    pub when: String,
    pub command: String,
    /// The user in the crontab; imported jobs run as the runner's user.
    pub user: Option<String>,
    /// The definition to create.
    pub definition: Value,
    /// The trigger to create.
    pub trigger: Value,
}

impl Import {
    /// The result for a line.
    #[must_use]
    pub fn judge(&self, line: CrontabLine) -> LineResult {
        let fate = match line.content {
            Content::Variable { name, value } => Fate::Variable { name, value },
            Content::NotUnderstood(reason) => Fate::NotUnderstood { reason },
            Content::Job(job) => match &job.start {
                Start::Shell(reason) => Fate::NeedsShell { command: job.command.clone(), reason: reason.clone() },
                Start::Argv(argv) => self
                    .taken(line.number, &job, argv)
                    .map_or_else(|reason| Fate::NotUnderstood { reason }, |taken| Fate::Ready(Box::new(taken))),
            },
        };
        LineResult { line: line.number, fate }
    }

    /// The definition and trigger for a line, validated without the database.
    fn taken(&self, number: usize, job: &CrontabJob, argv: &[String]) -> Result<ImportedJob, String> {
        let key = format!("cron-{}-{number}", slug(&argv[0]));
        let zone = job.zone.as_ref().or(self.zone.as_ref());
        let schedule = Schedule::parse(&job.expression, zone.map_or("UTC", String::as_str), &key, self.now)
            .map_err(|refused| refused.to_string())?;
        let argv: Vec<String> = argv.iter().map(|word| word.replace("{{", BRACES)).collect();
        let mut definition = json!({
            "key": key, "argv": argv, "timeout_seconds": TIMEOUT_SECONDS,
            // cron does not retry, and a command may not be safe to run twice.
            "max_attempts": 1,
            "arg_schema": {"type": "object", "additionalProperties": false},
        });
        definition["description"] = json!(format!("From line {number} of a crontab."));
        Definition::from_fields(definition.clone()).map_err(|faults| {
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            all.join("; ")
        })?;
        let label = job.label.clone().unwrap_or_else(|| key.clone());
        let mut trigger = json!({"label": label, "definition_key": key, "cron_expr": job.expression});
        if let Some(zone) = zone {
            trigger["timezone"] = json!(zone);
        }
        if let Some(host) = &self.host {
            trigger["target"] = json!({"host": host});
        }
        let zone = zone.map(|zone| format!(" in {zone}")).unwrap_or_default();
        let when = format!("{}{zone}", schedule.describe());
        Ok(ImportedJob { label, when, command: job.command.clone(), user: job.user.clone(), definition, trigger })
    }
}

/// A program's name as part of a key.
fn slug(program: &str) -> String {
    let name = program.rsplit('/').next().unwrap_or(program).to_ascii_lowercase();
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-");
    let short: String = slug.chars().take(SLUG_MAX).collect();
    if short.is_empty() { "job".to_owned() } else { short.trim_end_matches('-').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_derived_from_programs() {
        for (program, part) in [
            ("/usr/local/bin/Backup_Home.sh", "backup-home-sh"),
            ("php", "php"),
            ("/opt/été", "t"),
            ("/", "job"),
            (&"x".repeat(99), &"x".repeat(SLUG_MAX)),
        ] {
            assert_eq!(slug(program), part);
        }
    }
}
