//! Replication of triggers and fires from hosts, on the hub. A fire of the hub's own trigger is stored under the
//! trigger's own id; a host's own triggers are stored as read-only copies.

use domain::{
    DefinitionId, HostId, Timestamp, TriggerId,
    job::JobStatus,
    sync::{
        doc::{DefinitionDoc, FireDoc, JobDoc, TriggerDoc, fire_of_id},
        tables::TRIGGER,
    },
};
use serde_json::{Value, json};
use std::collections::HashSet;

use super::HubSide;
use crate::{
    Result, Tx,
    columns::{column, ids, times},
    trigger::Trigger,
    value::{Db, hex, id_texts},
};

struct DefinitionOnly {
    id: DefinitionId,
}

rows! {
    DefinitionOnly { id }
}

statements! {
    MIRROR_TRIGGER_DELETE = same("delete from trigger where id = $1 and origin = $2");
    MIRROR_FIRES_PUT = pair(
        "insert into fire (trigger_id, nominal_at, ordinal, org_id, host_id, origin, status, reason, job_id, stands_for, at,
            ended_status, ended_at)
        select unhex(value ->> 0), value ->> 1, value ->> 2, $2, $1, $1, value ->> 3, value ->> 4, unhex(value ->> 5),
            value ->> 6, value ->> 7, value ->> 8, value ->> 9
        from json_each($3) where true
        on conflict (trigger_id, nominal_at, ordinal) do update set status = excluded.status, reason = excluded.reason,
            job_id = excluded.job_id, stands_for = excluded.stands_for, at = excluded.at,
            ended_status = excluded.ended_status, ended_at = excluded.ended_at
        where fire.origin = excluded.origin",
        "insert into fire (trigger_id, nominal_at, ordinal, org_id, host_id, origin, status, reason, job_id, stands_for, at,
            ended_status, ended_at)
        select x.trigger_id, x.nominal_at, x.ordinal, $2, $1, $1, x.status, x.reason, x.job_id, x.stands_for, x.at,
            x.ended_status, x.ended_at
        from unnest($3::uuid[], $4::timestamptz[], $5::int[], $6::text[], $7::text[], $8::uuid[], $9::int[],
            $10::timestamptz[], $11::text[], $12::timestamptz[])
            x (trigger_id, nominal_at, ordinal, status, reason, job_id, stands_for, at, ended_status, ended_at)
        on conflict (trigger_id, nominal_at, ordinal) do update set status = excluded.status, reason = excluded.reason,
            job_id = excluded.job_id, stands_for = excluded.stands_for, at = excluded.at,
            ended_status = excluded.ended_status, ended_at = excluded.ended_at
        where fire.origin = excluded.origin"
    );
    MIRROR_FIRE_DELETE = same("
        delete from fire where trigger_id = $1 and nominal_at = $2 and ordinal = $3 and origin = $4");
    MIRROR_DEFINITIONS_KNOWN = pair(
        "select d.id from json_each($1) x cross join definition d on d.id = unhex(x.value) where d.origin is null",
        "select d.id from unnest($1::uuid[]) x (id) join definition d on d.id = x.id where d.origin is null"
    );
}

impl Tx<'_> {
    /// Applies a host's trigger: a copy of its own one, or the report about the hub's trigger that it has.
    pub(super) async fn mirror_trigger(&mut self, side: &HubSide, doc: &TriggerDoc) -> Result<()> {
        let origin = side.sender.host();
        let before = self.trigger_anywhere(&[doc.id]).await?.into_iter().next();
        let of_ours = doc.of.filter(|of| of.hub == side.hub);
        match (before, of_ours) {
            (Some(before), Some(of)) if before.origin.is_none() => {
                let epoch = self.sync_hub_epoch(side.random, side.now).await?;
                if doc.deleted_at.is_none() || of.epoch != epoch.number {
                    return Ok(());
                }
                // Lock the trigger before its log entry, in the order of every other change of a trigger.
                self.trigger_lock(before.org_id, before.id).await?;
                if self.sync_log_release(origin, TRIGGER.name, doc.id.to_bytes(), of.hseq).await? {
                    self.trigger_back(doc.id, origin, doc.settled_at, side.now).await?;
                }
                Ok(())
            }
            // The hub's trigger, from an epoch of its log that was lost: the host deletes it at the end of its resend.
            (None, Some(_)) => Ok(()),
            (Some(before), _) if before.origin != Some(origin) => Ok(()),
            _ => self.trigger_put(&mirrored(side, doc)).await,
        }
    }

    /// Applies hosts' fires of nominal times.
    pub(super) async fn mirror_fires(&mut self, side: &HubSide, fires: &[FireDoc]) -> Result<()> {
        if fires.is_empty() {
            return Ok(());
        }
        let (origin, org) = (side.sender.host(), side.sender.org());
        let f = fires;
        let row = |f: &FireDoc| {
            json!([
                hex(f.trigger),
                f.nominal_at.as_micros(),
                f.ordinal,
                f.status,
                f.reason,
                f.job.map(hex),
                f.stands_for,
                f.at.as_micros(),
                f.ended.map(|(status, _)| status),
                f.ended.map(|(_, at)| at.as_micros())
            ])
        };
        split_execute!(
            self,
            MIRROR_FIRES_PUT,
            sqlite(Db(origin), Db(org), Value::Array(fires.iter().map(row).collect()).to_string()),
            postgres(
                Db(origin),
                Db(org),
                ids(f, |f| f.trigger),
                times(f, |f| f.nominal_at),
                column(f, |f| f.ordinal),
                column(f, |f| f.status.as_str()),
                column(f, |f| f.reason.as_str()),
                column(f, |f| f.job.map(|id| crate::value::pg::Uuid(id.to_bytes()))),
                column(f, |f| f.stands_for),
                times(f, |f| f.at),
                column(f, |f| f.ended.map(|(status, _)| status.as_str())),
                crate::columns::times_opt(f, |f| f.ended.map(|(_, at)| at)),
            ),
        )?;
        for fire in fires {
            if let Some((JobStatus::Succeeded, at)) = fire.ended {
                self.trigger_host_succeeded(fire.trigger, origin, at, side.now).await?;
            }
        }
        Ok(())
    }

    /// Deletes the copies of triggers that a host has deleted.
    pub(super) async fn mirror_triggers_gone(&mut self, origin: HostId, triggers: &[String]) -> Result<()> {
        for id in triggers.iter().filter_map(|id| id.parse::<TriggerId>().ok()) {
            execute!(self, MIRROR_TRIGGER_DELETE, id, origin)?;
        }
        Ok(())
    }

    /// Deletes the copies of fires that a host has deleted.
    pub(super) async fn mirror_fires_gone(&mut self, origin: HostId, fires: &[String]) -> Result<()> {
        for (trigger, nominal, ordinal) in fires.iter().filter_map(|id| fire_of_id(id)) {
            execute!(self, MIRROR_FIRE_DELETE, trigger, nominal, ordinal, origin)?;
        }
        Ok(())
    }

    /// Replaces, in hosts' jobs, the host-side ids of this hub's definitions by the hub's own ids.
    pub(super) async fn definitions_back(&mut self, side: &HubSide, jobs: &mut [JobDoc]) -> Result<()> {
        let here = |id: DefinitionId| DefinitionDoc::id_across(id, side.hub);
        let named: HashSet<DefinitionId> = jobs.iter().map(|job| here(job.definition)).collect();
        let known = self.definitions_known(&named.into_iter().collect::<Vec<_>>()).await?;
        for job in jobs.iter_mut().filter(|job| known.contains(&here(job.definition))) {
            job.definition = here(job.definition);
        }
        Ok(())
    }

    /// Returns the ids of those definitions that the hub owns.
    pub(super) async fn definitions_known(&mut self, wanted: &[DefinitionId]) -> Result<HashSet<DefinitionId>> {
        if wanted.is_empty() {
            return Ok(HashSet::new());
        }
        let known = split!(
            self, MIRROR_DEFINITIONS_KNOWN => DefinitionOnly,
            sqlite(id_texts(wanted)),
            postgres(ids(wanted, |id| *id)),
        )?;
        Ok(known.into_iter().map(|row| row.id).collect())
    }
}

/// The copy of a host's own trigger: shown, never fired.
fn mirrored(side: &HubSide, doc: &TriggerDoc) -> Trigger {
    let at: Timestamp = doc.settled_at;
    Trigger {
        id: doc.id,
        org_id: side.sender.org(),
        version: doc.version,
        body: doc.body.clone(),
        settled_at: at,
        next_fire_at: None,
        enabled_at: at,
        origin: Some(side.sender.host()),
        hub_id: doc.of.map(|of| of.hub),
        created_by: doc.created_by.clone(),
        created_at: doc.created_at,
        updated_at: doc.updated_at,
        deleted_at: doc.deleted_at,
    }
}
