//! Pings: checks of programs outside of Hostler that report when they run.

use domain::{
    Id, OrgId, PingId, Timestamp,
    ping::{Ping as Body, PingWord, ReceivedReports},
    secret::SecretHash,
};
use serde_json::Value;

use crate::{Result, Tx, value::Json};

/// A check of a program that sends pings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ping {
    pub id: PingId,
    pub org_id: OrgId,
    pub label: String,
    pub secret_hash: SecretHash,
    pub body: Body,
    pub started_at: Option<Timestamp>,
    pub succeeded_at: Option<Timestamp>,
    pub reported_at: Option<Timestamp>,
    pub last_word: Option<PingWord>,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Ping {
    /// Returns the part of the check that its alert rules depend on.
    #[must_use]
    pub fn received_reports(&self) -> ReceivedReports {
        ReceivedReports {
            since: self.created_at,
            succeeded_at: self.succeeded_at,
            started_at: self.started_at,
            last: self.last_word.zip(self.reported_at),
        }
    }
}

/// A received ping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PingReport {
    pub id: Id<domain::id::kind::Audit>,
    pub ping_id: PingId,
    pub at: Timestamp,
    pub word: PingWord,
    pub rid: Option<String>,
    pub exit_code: Option<i32>,
    pub address: String,
    pub body: String,
}

struct Row {
    id: PingId,
    org_id: OrgId,
    label: String,
    secret_hash: SecretHash,
    body: Json<Value>,
    started_at: Option<Timestamp>,
    succeeded_at: Option<Timestamp>,
    reported_at: Option<Timestamp>,
    last_word: Option<PingWord>,
    created_by: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

rows! {
    Row { id, org_id, label, secret_hash, body, started_at, succeeded_at, reported_at, last_word, created_by, created_at, updated_at }
    PingReport { id, ping_id, at, word, rid, exit_code, address, body }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select id, org_id, label, secret_hash, body, started_at, succeeded_at, reported_at, last_word, created_by, created_at,
                updated_at
            from ping ",
            $rest
        )
    };
}

statements! {
    PING_INSERT = same("
        insert into ping (id, org_id, label, secret_hash, body, created_by, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $7)");
    PING_LIST = same(select!("where org_id = $1 order by id limit $2"));
    PING_LIST_ALL = same(select!("where id > $1 order by id limit $2"));
    PING_GET = same(select!("where org_id = $1 and id = $2"));
    PING_BY_SECRET = same(select!("where secret_hash = $1"));
    PING_REMOVE = same("delete from ping where org_id = $1 and id = $2");
    // `log` pings are excluded by the caller: they do not change the state.
    PING_REPORT_PUT = same("
        update ping
        set last_word = $2, reported_at = $3,
            started_at = case when $2 = 'start' then $3 else started_at end,
            succeeded_at = case when $2 = 'success' then $3 else succeeded_at end,
            updated_at = $3
        where id = $1 and (reported_at is null or reported_at <= $3)");
    PING_REPORT_INSERT = same("
        insert into ping_report (id, ping_id, at, word, rid, exit_code, address, body)
        values ($1, $2, $3, $4, $5, $6, $7, $8)");
    PING_REPORTS = same("
        select id, ping_id, at, word, rid, exit_code, address, body from ping_report
        where ping_id = $1 order by id desc limit $2");
    // Keeps the newest pings of each check.
    PING_REPORT_PRUNE = same("
        delete from ping_report
        where ping_id = $1 and id <= (select id from ping_report where ping_id = $1 order by id desc limit 1 offset $2)");
}

impl Tx<'_> {
    /// Inserts a check.
    pub async fn ping_insert(&mut self, ping: &Ping) -> Result<()> {
        let body = Json(serde_json::to_value(&ping.body).unwrap_or_default());
        execute!(
            self,
            PING_INSERT,
            ping.id,
            ping.org_id,
            ping.label.clone(),
            ping.secret_hash.clone(),
            body,
            ping.created_by.clone(),
            ping.created_at
        )?;
        Ok(())
    }

    /// Returns the checks of an organization.
    pub async fn ping_list(&mut self, org: OrgId, limit: u32) -> Result<Vec<Ping>> {
        read_all(all!(self, PING_LIST => Row, org, i64::from(limit))?)
    }

    /// Returns the checks of all organizations.
    pub async fn ping_list_all(&mut self, after: PingId, limit: u32) -> Result<Vec<Ping>> {
        read_all(all!(self, PING_LIST_ALL => Row, after, i64::from(limit))?)
    }

    /// Returns a check of an organization.
    pub async fn ping_get(&mut self, org: OrgId, id: PingId) -> Result<Option<Ping>> {
        one!(self, PING_GET => Row, org, id)?.map(Ping::try_from).transpose()
    }

    /// Returns the check with this secret, which identifies it in a ping request.
    pub async fn ping_by_secret(&mut self, secret: SecretHash) -> Result<Option<Ping>> {
        one!(self, PING_BY_SECRET => Row, secret)?.map(Ping::try_from).transpose()
    }

    /// Deletes a check. Returns `false` if it does not exist.
    pub async fn ping_remove(&mut self, org: OrgId, id: PingId) -> Result<bool> {
        Ok(execute!(self, PING_REMOVE, org, id)? > 0)
    }

    /// Inserts a ping and updates the state of its check. Keeps the newest `kept` pings.
    pub async fn ping_report(&mut self, report: &PingReport, kept: u32) -> Result<()> {
        let r = report;
        if r.word != PingWord::Log {
            execute!(self, PING_REPORT_PUT, r.ping_id, r.word, r.at)?;
        }
        execute!(
            self,
            PING_REPORT_INSERT,
            r.id,
            r.ping_id,
            r.at,
            r.word,
            r.rid.clone(),
            r.exit_code,
            r.address.clone(),
            r.body.clone()
        )?;
        execute!(self, PING_REPORT_PRUNE, r.ping_id, i64::from(kept))?;
        Ok(())
    }

    /// Returns the pings of a check, newest first.
    pub async fn ping_reports(&mut self, ping: PingId, limit: u32) -> Result<Vec<PingReport>> {
        all!(self, PING_REPORTS => PingReport, ping, i64::from(limit))
    }
}

fn read_all(rows: Vec<Row>) -> Result<Vec<Ping>> {
    rows.into_iter().map(Ping::try_from).collect()
}

impl TryFrom<Row> for Ping {
    type Error = crate::Error;
    fn try_from(row: Row) -> Result<Self> {
        let body = serde_json::from_value(row.body.0).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        Ok(Self {
            id: row.id,
            org_id: row.org_id,
            label: row.label,
            secret_hash: row.secret_hash,
            body,
            started_at: row.started_at,
            succeeded_at: row.succeeded_at,
            reported_at: row.reported_at,
            last_word: row.last_word,
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}
