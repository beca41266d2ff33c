//! Import of crontabs.

use domain::{
    OrgId, Permission, TriggerId,
    crontab::{
        self, CrontabKind,
        import::{Fate, Import, ImportedJob, LineResult},
    },
};
use proto::api::{
    definition::DefinitionRequest,
    trigger::{ImportRequest, Imported, ImportedLine},
};
use serde_json::Value;

use super::TRIGGERS_MAX;
use crate::{Error, Hub, Result, app::RequestContext};

/// Longest accepted crontab.
const BYTES_MAX: usize = 256 * 1024;

impl Hub {
    /// Creates a definition and a trigger for each supported line of a crontab, or updates those of an earlier import.
    ///
    /// # Errors
    /// Fails if the crontab is too long, or the caller may not create definitions.
    pub async fn crontab_import(&self, by: &RequestContext, org: OrgId, request: ImportRequest) -> Result<Imported> {
        by.must(Permission::TriggerManage)?;
        if request.crontab.len() > BYTES_MAX {
            return Err(Error::invalid(format!("the crontab must have at most {BYTES_MAX} bytes")));
        }
        let kind = if request.is_system { CrontabKind::System } else { CrontabKind::User };
        let import = Import { host: request.host, zone: request.timezone, now: self.now() };
        let judged: Vec<LineResult> =
            crontab::read(&request.crontab, kind).into_iter().map(|line| import.judge(line)).collect();
        let mut taken = 0;
        if !request.dry_run {
            for verdict in &judged {
                if let Fate::Ready(ready) = &verdict.fate {
                    self.line_taken(by, org, ready).await?;
                    taken += 1;
                }
            }
        }
        Ok(Imported { lines: judged.into_iter().map(shown).collect(), taken })
    }

    async fn line_taken(&self, by: &RequestContext, org: OrgId, taken: &ImportedJob) -> Result<()> {
        let definition: DefinitionRequest =
            serde_json::from_value(taken.definition.clone()).map_err(Error::internal)?;
        let key = key_of(taken).unwrap_or_default().to_owned();
        self.definition_put(by, definition).await?;
        let read = self.store.read(move |tx| {
            Box::pin(async move {
                let all = tx.trigger_list(org, TriggerId::from_bytes([0; 16]), TRIGGERS_MAX as u32).await?;
                Ok::<_, Error>(all.into_iter().find(|trigger| trigger.body.definition_key == key).map(|found| found.id))
            })
        });
        match read.await? {
            Some(earlier) => {
                let patch = taken.trigger.as_object().cloned().unwrap_or_default();
                self.trigger_update(by, org, &earlier.to_string(), patch).await?;
            }
            None => {
                let request = serde_json::from_value(taken.trigger.clone()).map_err(Error::internal)?;
                self.trigger_create(by, org, request).await?;
            }
        }
        Ok(())
    }
}

fn key_of(taken: &ImportedJob) -> Option<&str> {
    taken.definition.get("key").and_then(Value::as_str)
}

fn shown(verdict: LineResult) -> ImportedLine {
    let line = |word: &str, text: String, note: Option<String>| ImportedLine {
        line: verdict.line,
        verdict: word.to_owned(),
        text,
        note,
        label: None,
        when: None,
        definition_key: None,
    };
    match verdict.fate {
        Fate::Ready(taken) => ImportedLine {
            definition_key: key_of(&taken).map(str::to_owned),
            label: Some(taken.label),
            when: Some(taken.when),
            ..line(
                "ready",
                taken.command,
                taken.user.map(|user| format!("ran as {user}; now runs as the runner's user")),
            )
        },
        Fate::NeedsShell { command, reason } => line("needs_shell", command, Some(reason)),
        Fate::NotUnderstood { reason } => line("not_understood", String::new(), Some(reason)),
        Fate::Variable { name, value } => line("variable", format!("{name}={value}"), None),
    }
}
