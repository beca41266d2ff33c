//! Counts of jobs by status. Transactions append changes, a loop folds them into fewer rows, and readers sum all rows.
//!
//! Appending avoids a lock: a counter per organization would serialize all transactions that end a job.

use domain::{OrgId, job::JobStatus};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids},
    value::{hex, pg::Uuid},
};

/// Counts, or changes of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub queued: i64,
    pub running: i64,
    pub succeeded: i64,
    pub failed: i64,
    pub dead_letter: i64,
    pub canceled: i64,
    /// Runs after which the job was retried.
    pub retried: i64,
    /// Jobs created since the beginning.
    pub created: i64,
}

impl Tally {
    /// Adds changes.
    pub fn add(&mut self, other: &Self) {
        self.queued += other.queued;
        self.running += other.running;
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.dead_letter += other.dead_letter;
        self.canceled += other.canceled;
        self.retried += other.retried;
        self.created += other.created;
    }

    /// The counter of a status.
    pub fn of(&mut self, status: JobStatus) -> &mut i64 {
        match status {
            JobStatus::Queued => &mut self.queued,
            JobStatus::Running => &mut self.running,
            JobStatus::Succeeded => &mut self.succeeded,
            JobStatus::Failed => &mut self.failed,
            JobStatus::DeadLetter => &mut self.dead_letter,
            JobStatus::Canceled => &mut self.canceled,
        }
    }
}

struct Row {
    org_id: OrgId,
    queued: i64,
    running: i64,
    succeeded: i64,
    failed: i64,
    dead_letter: i64,
    canceled: i64,
    retried: i64,
    created: i64,
}

rows! { Row { org_id, queued, running, succeeded, failed, dead_letter, canceled, retried, created } }

macro_rules! sums {
    ($rest:literal) => {
        concat!(
            "select org_id, cast(sum(queued) as bigint) as queued, cast(sum(running) as bigint) as running,
                cast(sum(succeeded) as bigint) as succeeded, cast(sum(failed) as bigint) as failed,
                cast(sum(dead_letter) as bigint) as dead_letter, cast(sum(canceled) as bigint) as canceled,
                cast(sum(retried) as bigint) as retried, cast(sum(created) as bigint) as created
            from tally ",
            $rest
        )
    };
}

statements! {
    TALLY_ADD = pair(
        "insert into tally (id, org_id, queued, running, succeeded, failed, dead_letter, canceled, retried, created)
        select unhex(value ->> 0), unhex(value ->> 1), value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
            value ->> 7, value ->> 8, value ->> 9
        from json_each($1)",
        "insert into tally (id, org_id, queued, running, succeeded, failed, dead_letter, canceled, retried, created)
        select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
            $8::bigint[], $9::bigint[], $10::bigint[])"
    );
    TALLY_SUM = same(sums!("where org_id = $1 group by org_id"));
    TALLY_ALL = same(sums!("group by org_id"));
    TALLY_TAKE = pair(
        "delete from tally where id in (select id from tally limit $1)
        returning org_id, queued, running, succeeded, failed, dead_letter, canceled, retried, created",
        "with taken as materialized (select ctid as tid from tally limit $1 for update skip locked)
        delete from tally where ctid = any (array(select tid from taken))
        returning org_id, queued, running, succeeded, failed, dead_letter, canceled, retried, created"
    );
}

fn random_ids(count: usize, id: &mut dyn FnMut() -> [u8; 16]) -> Vec<[u8; 16]> {
    (0..count).map(|_| id()).collect()
}

impl Tx<'_> {
    /// Appends changes. `id` generates a unique 16-byte key for each row.
    pub async fn tally_add(
        &mut self,
        changes: &[(OrgId, Tally)],
        id: &mut (dyn FnMut() -> [u8; 16] + Send),
    ) -> Result<()> {
        if changes.is_empty() {
            return Ok(());
        }
        let keys = random_ids(changes.len(), id);
        let rows = || {
            let row = |((org, t), key): (&(OrgId, Tally), &[u8; 16])| {
                json!([
                    hex(OrgId::from_bytes(*key)),
                    hex(*org),
                    t.queued,
                    t.running,
                    t.succeeded,
                    t.failed,
                    t.dead_letter,
                    t.canceled,
                    t.retried,
                    t.created
                ])
            };
            Value::Array(changes.iter().zip(&keys).map(row).collect()).to_string()
        };
        let c = changes;
        defer!(
            self,
            TALLY_ADD,
            of Some(c.len()),
            sqlite(rows()),
            postgres(
                column(&keys, |key| Uuid(*key)),
                ids(c, |c| c.0),
                column(c, |c| c.1.queued),
                column(c, |c| c.1.running),
                column(c, |c| c.1.succeeded),
                column(c, |c| c.1.failed),
                column(c, |c| c.1.dead_letter),
                column(c, |c| c.1.canceled),
                column(c, |c| c.1.retried),
                column(c, |c| c.1.created),
            ),
        )?;
        Ok(())
    }

    /// Returns the counts of an organization.
    pub async fn tally_sum(&mut self, org: OrgId) -> Result<Tally> {
        Ok(one!(self, TALLY_SUM => Row, org)?.map(|row| row.parts().1).unwrap_or_default())
    }

    /// Returns the counts of every organization.
    pub async fn tally_all(&mut self) -> Result<Vec<(OrgId, Tally)>> {
        Ok(all!(self, TALLY_ALL => Row)?.iter().map(Row::parts).collect())
    }

    /// Deletes and returns at most `limit` rows. The caller must append their sums in the same transaction. Rows locked
    /// by another hub are skipped.
    pub async fn tally_take(&mut self, limit: u32) -> Result<Vec<(OrgId, Tally)>> {
        Ok(all!(self, TALLY_TAKE => Row, i64::from(limit))?.iter().map(Row::parts).collect())
    }
}

impl Row {
    fn parts(&self) -> (OrgId, Tally) {
        let tally = Tally {
            queued: self.queued,
            running: self.running,
            succeeded: self.succeeded,
            failed: self.failed,
            dead_letter: self.dead_letter,
            canceled: self.canceled,
            retried: self.retried,
            created: self.created,
        };
        (self.org_id, tally)
    }
}
