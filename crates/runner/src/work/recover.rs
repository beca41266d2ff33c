//! After a restart: what became of everything in the journal.

use domain::{job::RunStatus, server::ServerOp};
use proto::work::{Grant, RunRef};
use store::journal::{Entry, JournalState};

use super::{engine::Engine, run::not_started};
use crate::{
    exec::{self, RunState},
    machine,
};

impl Engine {
    /// Judges every run in the journal: what runs is adopted, what has ended is reported, what never began is given back.
    pub(super) async fn recover(&mut self) {
        let entries = match self.shared.entries().await {
            Ok(entries) => entries,
            Err(error) => {
                tracing::error!(error = %error, "the journal cannot be read");
                return;
            }
        };
        for entry in entries {
            let Ok(grant) = serde_json::from_value::<Grant>(entry.grant.clone()) else {
                tracing::error!(run.id = %entry.run_id, "a grant in the journal cannot be read");
                continue;
            };
            self.judge_entry(&entry, grant).await;
        }
        self.resume_upload().await;
    }

    async fn judge_entry(&mut self, entry: &Entry, grant: Grant) {
        if entry.state == JournalState::Ended {
            return self.ship(RunRef { job: grant.job, fence: grant.fence }, grant.run);
        }
        // The server knows what was asked of it; here only somebody waits.
        if let Some(op) = ServerOp::of_definition(grant.definition) {
            let run = self.take_on(grant);
            return self.crew.spawn(run.operate(op));
        }
        let boot_id = machine::boot_id();
        let is_other_boot = entry.boot_id != boot_id;
        let dir = self.shared.dir(entry.run_id);
        let verdict = loop {
            match exec::inspect(&dir, &boot_id).await {
                Ok(verdict) => break verdict,
                Err(error) => tracing::warn!(run.id = %entry.run_id, error = %error, "a run cannot be judged yet"),
            }
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        };
        let run = self.take_on(grant);
        match verdict {
            RunState::Alive(handle) => {
                run.register();
                self.crew.spawn(run.adopt(handle));
            }
            RunState::Finished(outcome) => {
                self.crew.spawn(run.end(outcome));
            }
            RunState::Crashed { why } => {
                self.crew.spawn(run.crash(why));
            }
            // A power cut may have taken the marker with it: what may have begun counts as begun.
            RunState::NotStarted if entry.state == JournalState::Starting && is_other_boot => {
                self.crew.spawn(run.crash(exec::Crash::Reboot));
            }
            RunState::NotStarted => {
                let result = not_started(&run.grant, RunStatus::NotStarted, "the runner was restarted before it began");
                self.crew.spawn(run.report(result, None));
            }
        }
    }
}
