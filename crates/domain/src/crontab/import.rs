//! Taking a crontab over: what becomes of each line.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Content, CrontabJob, CrontabLine, Start};
use crate::{definition::Definition, schedule::Schedule, time::Timestamp};

/// The longest part of a key that comes from the name of a program.
const SLUG_MAX: usize = 40;
/// cron ends nothing, so the longest a definition may run is a day and not an hour.
const TIMEOUT_SECONDS: u32 = 86_400;
/// Two literal braces, as definitions write them.
const BRACES: &str = "{{ \"{{\" }}";

/// How a crontab is taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The machine it is from: its jobs run there.
    pub host: Option<String>,
    /// The zone of lines without `CRON_TZ`; the org's if none.
    pub zone: Option<String>,
    /// When.
    pub now: Timestamp,
}

/// What becomes of one line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// Which line, counted from 1.
    pub line: usize,
    /// What.
    #[serde(flatten)]
    pub fate: Fate,
}

/// What can become of a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Fate {
    /// It can be taken over.
    Ready(Box<Taken>),
    /// A shell has to start it.
    NeedsShell {
        /// What it runs.
        command: String,
        /// Why.
        reason: String,
    },
    /// It cannot.
    NotUnderstood {
        /// Why, and what to do.
        reason: String,
    },
    /// A variable.
    Variable {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
}

/// A line that can be taken over.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Taken {
    /// What people call it.
    pub label: String,
    /// When it runs, in words.
    pub when: String,
    /// What it runs.
    pub command: String,
    /// Who it was run as; here it is the runner's user.
    pub user: Option<String>,
    /// The definition to make.
    pub definition: Value,
    /// The trigger to make.
    pub trigger: Value,
}

impl Import {
    /// What becomes of a line.
    #[must_use]
    pub fn judge(&self, line: CrontabLine) -> Verdict {
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
        Verdict { line: line.number, fate }
    }

    /// The definition and the trigger of a line, checked as far as that is possible here.
    fn taken(&self, number: usize, job: &CrontabJob, argv: &[String]) -> Result<Taken, String> {
        let key = format!("cron-{}-{number}", slug(&argv[0]));
        let zone = job.zone.as_ref().or(self.zone.as_ref());
        let schedule = Schedule::parse(&job.expression, zone.map_or("UTC", String::as_str), &key, self.now)
            .map_err(|refused| refused.to_string())?;
        let argv: Vec<String> = argv.iter().map(|word| word.replace("{{", BRACES)).collect();
        let mut definition = json!({
            "key": key, "argv": argv, "timeout_seconds": TIMEOUT_SECONDS,
            // cron tries once; what is not made for a second try must not get one.
            "max_attempts": 1,
            "arg_schema": {"type": "object", "additionalProperties": false},
        });
        definition["description"] = json!(format!("From line {number} of a crontab."));
        Definition::from_fields(definition.clone()).map_err(|faults| {
            let all: Vec<String> = faults.iter().map(|fault| format!("{} {}", fault.pointer, fault.detail)).collect();
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
        Ok(Taken { label, when, command: job.command.clone(), user: job.user.clone(), definition, trigger })
    }
}

/// The name of a program as part of a key.
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
    fn programs_become_parts_of_keys() {
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
