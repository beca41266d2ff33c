//! Recovery after a restart of the runner: inspects every run in the journal.
//!
//! Live runs are adopted, finished runs are reported, and runs that never started are returned to the hub as not
//! started, which it may grant again. The journal alone cannot tell these apart: an entry in state `starting` was
//! written before the shim was launched, so its run may or may not have started. The run folder decides.

use domain::{job::RunStatus, server::ServerOp};
use proto::work::{Grant, RunRef};
use store::journal::{Entry, JournalState};

use super::{engine::Engine, log_upload::remembered, run::not_started};
use crate::{
    exec::{self, RunState},
    machine,
};

impl Engine {
    /// Inspects every run in the journal and continues it.
    pub(super) async fn recover(&mut self) {
        let entries = match self.shared.entries().await {
            Ok(entries) => entries,
            Err(error) => {
                tracing::error!(error = %error, "cannot read the journal; no runs are recovered");
                return;
            }
        };
        for entry in entries {
            let Ok(grant) = serde_json::from_value::<Grant>(entry.grant.clone()) else {
                tracing::error!(run.id = %entry.run_id, "cannot read a grant in the journal; its run is not recovered");
                continue;
            };
            self.recover_entry(&entry, grant).await;
        }
        self.resume_upload().await;
    }

    async fn recover_entry(&mut self, entry: &Entry, grant: Grant) {
        if entry.state == JournalState::Ended {
            return self.upload_log(RunRef { job: grant.job, fence: grant.fence }, grant.run);
        }
        // The operation itself is stored with the server; the job only waits for its result, so wait again.
        if let Some(op) = ServerOp::of_definition(grant.definition) {
            let run = self.take_on(grant);
            return self.tasks.spawn(run.operate(op));
        }
        let boot_id = machine::boot_id();
        let is_other_boot = entry.boot_id != boot_id;
        let dir = self.shared.dir(entry.run_id);
        let state = loop {
            match exec::inspect(&dir, &boot_id).await {
                Ok(state) => break state,
                Err(error) => {
                    tracing::warn!(run.id = %entry.run_id, error = %error, "cannot determine the state of a run yet")
                }
            }
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        };
        let run = self.take_on(grant);
        match state {
            RunState::Alive(handle) => {
                run.register();
                self.tasks.spawn(run.adopt(handle));
            }
            RunState::Finished(outcome) => {
                self.tasks.spawn(run.end(outcome));
            }
            RunState::Crashed { why } => {
                self.tasks.spawn(run.crash(why));
            }
            // Markers are not synced to disk, so a power cut may have removed the marker of a run that started. To rule
            // out that the job runs twice, report it as crashed.
            RunState::NotStarted if entry.state == JournalState::Starting && is_other_boot => {
                self.tasks.spawn(run.crash(exec::Crash::Reboot));
            }
            RunState::NotStarted => {
                let result =
                    not_started(&run.grant, RunStatus::NotStarted, "the runner restarted before the run started");
                self.tasks.spawn(run.report(result, None));
            }
        }
    }

    /// Continues the uploads of runs whose result is already acknowledged: they are not in the journal any more.
    pub(super) async fn resume_upload(&self) {
        let (folder, source, is_primary) = (self.shared.folder.clone(), self.shared.source(), self.role.is_primary());
        let is_ours = move |of: &str| *of == *source || of.is_empty() && is_primary;
        let left = tokio::task::spawn_blocking(move || {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let found =
                entries.filter_map(|entry| remembered(&entry.path()).filter(|what| what.is_over && !what.is_done));
            let found = found.filter(|what| is_ours(&what.source));
            found.collect::<Vec<_>>()
        });
        for what in left.await.unwrap_or_default() {
            if let (Some(job), Some(run)) = (what.job, what.run) {
                self.upload_log(RunRef { job, fence: what.fence }, run);
            }
        }
    }
}
