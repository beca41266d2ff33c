//! Programs elsewhere that say when they run.

use domain::{
    Id, OrgId, PingId, Timestamp,
    ping::{Heard, Ping as Body, PingWord},
    secret::SecretHash,
};
use serde_json::Value;

use crate::{Result, Tx, value::Json};

/// A program elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ping {
    pub id: PingId,
    pub org_id: OrgId,
    pub label: String,
    pub secret_hash: SecretHash,
    pub body: Body,
    pub started_at: Option<Timestamp>,
    pub succeeded_at: Option<Timestamp>,
    pub said_at: Option<Timestamp>,
    pub said: Option<PingWord>,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Ping {
    /// What the rules look at.
    #[must_use]
    pub fn heard(&self) -> Heard {
        Heard {
            since: self.created_at,
            succeeded_at: self.succeeded_at,
            started_at: self.started_at,
            last: self.said.zip(self.said_at),
        }
    }
}

/// Something that it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
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
    said_at: Option<Timestamp>,
    said: Option<PingWord>,
    created_by: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

rows! {
    Row { id, org_id, label, secret_hash, body, started_at, succeeded_at, said_at, said, created_by, created_at, updated_at }
    Said { id, ping_id, at, word, rid, exit_code, address, body }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select id, org_id, label, secret_hash, body, started_at, succeeded_at, said_at, said, created_by, created_at,
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
    // What a program says for the record changes nothing.
    PING_HEARD = same("
        update ping
        set said = $2, said_at = $3,
            started_at = case when $2 = 'start' then $3 else started_at end,
            succeeded_at = case when $2 = 'success' then $3 else succeeded_at end,
            updated_at = $3
        where id = $1 and (said_at is null or said_at <= $3)");
    PING_SAY = same("
        insert into ping_said (id, ping_id, at, word, rid, exit_code, address, body)
        values ($1, $2, $3, $4, $5, $6, $7, $8)");
    PING_SAID = same("
        select id, ping_id, at, word, rid, exit_code, address, body from ping_said
        where ping_id = $1 order by id desc limit $2");
    // The newest of each are kept.
    PING_SAID_PRUNE = same("
        delete from ping_said
        where ping_id = $1 and id <= (select id from ping_said where ping_id = $1 order by id desc limit 1 offset $2)");
}

impl Tx<'_> {
    /// Adds one.
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

    /// Those of an org.
    pub async fn ping_list(&mut self, org: OrgId, limit: u32) -> Result<Vec<Ping>> {
        read_all(all!(self, PING_LIST => Row, org, i64::from(limit))?)
    }

    /// Those of all orgs.
    pub async fn ping_list_all(&mut self, after: PingId, limit: u32) -> Result<Vec<Ping>> {
        read_all(all!(self, PING_LIST_ALL => Row, after, i64::from(limit))?)
    }

    /// One of an org.
    pub async fn ping_get(&mut self, org: OrgId, id: PingId) -> Result<Option<Ping>> {
        one!(self, PING_GET => Row, org, id)?.map(Ping::try_from).transpose()
    }

    /// The one with this secret: for who says so.
    pub async fn ping_by_secret(&mut self, secret: SecretHash) -> Result<Option<Ping>> {
        one!(self, PING_BY_SECRET => Row, secret)?.map(Ping::try_from).transpose()
    }

    /// Removes one; says no if there is none.
    pub async fn ping_remove(&mut self, org: OrgId, id: PingId) -> Result<bool> {
        Ok(execute!(self, PING_REMOVE, org, id)? > 0)
    }

    /// Notes what a program said; the newest `kept` of it stay.
    pub async fn ping_say(&mut self, said: &Said, kept: u32) -> Result<()> {
        let s = said;
        if s.word != PingWord::Log {
            execute!(self, PING_HEARD, s.ping_id, s.word, s.at)?;
        }
        execute!(
            self,
            PING_SAY,
            s.id,
            s.ping_id,
            s.at,
            s.word,
            s.rid.clone(),
            s.exit_code,
            s.address.clone(),
            s.body.clone()
        )?;
        execute!(self, PING_SAID_PRUNE, s.ping_id, i64::from(kept))?;
        Ok(())
    }

    /// What a program said, newest first.
    pub async fn ping_said(&mut self, ping: PingId, limit: u32) -> Result<Vec<Said>> {
        all!(self, PING_SAID => Said, ping, i64::from(limit))
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
            said_at: row.said_at,
            said: row.said,
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}
